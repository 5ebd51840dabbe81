import { Worker } from 'node:worker_threads'
import { toAppError } from '../../kernel/error.ts'
import { convert } from './convert.ts'
import type { ConvertResponse, ConvertTask } from './converter-pool.ts'

/**
 * A process that converts one file at a time for its parent: native memory and endless loops end with it. Its watch ends
 * it, with the programs it runs, when it holds too much memory, which limits of the JavaScript heap do not see, and when
 * its parent is gone, which an endless loop does not see.
 */
const watch = `
const { workerData: { maxBytes, parent, group } } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) process.kill(group, 'SIGKILL')
}, 50)
`
/** Its parent made it the leader of its group, where the platform has groups. */
const group = process.platform === 'win32' ? process.pid : -process.pid
const maxBytes = Number(process.argv[2]) * 1024 * 1024
new Worker(watch, { eval: true, workerData: { maxBytes, parent: process.ppid, group }, env: {} }).unref()

process.on('message', (task: ConvertTask) => {
  void answer(task).then((said) => process.send?.(said))
})
process.on('disconnect', () => process.kill(group, 'SIGKILL'))

async function answer({ kind, source }: ConvertTask): Promise<ConvertResponse> {
  try {
    return { converted: await convert(kind, source) }
  } catch (thrown) {
    const { code, status, message, hint, details, cause } = toAppError(thrown)
    return { error: { code, status, message, hint, details, ...(cause !== undefined && { cause: textOf(cause) }) } }
  }
}

/** For the log; not everything thrown can be sent. */
const textOf = (cause: unknown) => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
