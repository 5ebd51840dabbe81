import { spawn } from 'node:child_process'
import {
  type ConvertResponse,
  converterFd,
  openPipe,
  packed,
  sendFrame,
} from '../../../src/engine/document/file-pipe.ts'

/** A child that follows the text of its file, without the supervision of the real one. */
function answer(wish: string): void {
  if (wish === 'loop') for (;;);
  if (wish === 'exit') process.exit(0)
  if (wish === 'crash') process.kill(process.pid, 'SIGKILL')
  if (wish === 'heap') hoard()
  if (wish === 'endless') return void pipe.write(Buffer.alloc(4, 0xff))
  if (wish === 'nonsense') return void sendFrame(pipe, Buffer.from('no message at all'))
  const pid = wish === 'program' ? spawn('sleep', ['600']).pid : process.pid
  const text = wish.startsWith('long ') ? 'a'.repeat(Number(wish.slice('long '.length))) : String(pid)
  const response: ConvertResponse = { converted: { markdown: text } }
  void sendFrame(pipe, packed(response))
}

let isOrder = true
const pipe = openPipe(converterFd, {
  maxBytes: Infinity,
  take(frame) {
    if (!isOrder) answer(frame.toString())
    isOrder = !isOrder
  },
})
pipe.on('error', () => {}).on('close', () => process.exit())

function hoard(): never {
  const held: string[][] = []
  for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => `${held.length} ${index}`))
}
