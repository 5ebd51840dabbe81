import { Worker } from 'node:worker_threads'
import { toAppError } from '../../core/error.ts'
import type { ConvertAnswer, ConvertTask } from './children.ts'
import { convert } from './convert.ts'

/**
 * A process that converts one file at a time for its parent: native memory and endless loops end with it. Its watch ends
 * it when it holds too much memory, which limits of the JavaScript heap do not see; it ends when its parent does.
 */
const watch = `
const { workerData: maxBytes } = require('node:worker_threads')
setInterval(() => { if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL') }, 50)
`
new Worker(watch, { eval: true, workerData: Number(process.argv[2]) * 1024 * 1024, env: {} }).unref()

process.on('message', (task: ConvertTask) => {
  void answer(task).then((said) => process.send?.(said))
})
process.on('disconnect', () => process.exit())

async function answer({ kind, source }: ConvertTask): Promise<ConvertAnswer> {
  try {
    return { converted: await convert(kind, source) }
  } catch (thrown) {
    const { code, status, message, hint, details, cause } = toAppError(thrown)
    return { error: { code, status, message, hint, details, cause: String(cause) } }
  }
}
