import { spawn } from 'node:child_process'
import type { ConvertResponse, ConvertTask } from '../../../src/engine/document/converter-pool.ts'

/** A child that does what the text of its file says, without the watch of the real one. */
process.on('message', ({ source }: ConvertTask) => {
  const wish = Buffer.from(source.bytes).toString()
  if (wish === 'loop') for (;;);
  if (wish === 'exit') process.exit(0)
  if (wish === 'crash') process.kill(process.pid, 'SIGKILL')
  if (wish === 'heap') hoard()
  const pid = wish === 'program' ? spawn('sleep', ['600']).pid : process.pid
  const answer: ConvertResponse = { converted: { markdown: String(pid) } }
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())

function hoard(): never {
  const held: string[][] = []
  for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => `${held.length} ${index}`))
}
