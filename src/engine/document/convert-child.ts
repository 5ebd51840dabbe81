import { Worker } from 'node:worker_threads'
import { toAppError, packThrown } from '../../kernel/error.ts'
import { releaseBuffer } from '../../util/file-bytes.ts'
import { type HardLimits, startBudget } from './converter.ts'
import { convert } from './convert.ts'
import {
  type ConvertMessage,
  type ConvertOrder,
  type ConvertResponse,
  type ConvertTask,
  converterFd,
  openPipe,
  packed,
  sendFrame,
  unpacked,
} from './file-pipe.ts'

/**
 * Thread that ends this process and the programs it runs if the process uses too much memory (heap limits do not cover
 * native memory), if a file exceeds its budget, or if the parent has exited, which a converter in an endless loop would
 * not notice. The process converts one file at a time for its parent.
 */
const watch = `
const { workerData: { maxMb, parent, group, limits } } = require('node:worker_threads')
setInterval(() => {
  const { user, system } = process.cpuUsage()
  const rssMb = process.memoryUsage.rss() / 1e6
  const isOver = rssMb > Math.min(maxMb, limits[1]) || (user + system) / 1000 > limits[0]
  if (isOver || process.ppid !== parent) process.kill(group, 'SIGKILL')
}, 25)
`
/** The parent made this process the leader of its group, if the platform has groups. */
const group = process.platform === 'win32' ? process.pid : -process.pid
const maxMb = Number(process.argv[2])
/** CPU time in ms and memory in MB, shared with the watch. */
const limits = new Float64Array(new SharedArrayBuffer(16)).fill(Infinity)
const workerData = { maxMb, parent: process.ppid, group, limits }
new Worker(watch, { eval: true, workerData, env: {} }).unref()

const limit = ({ cpuMs, rssMb }: HardLimits) => limits.set([cpuMs, rssMb])
/** Errors are ignored, because they mean that the parent has exited. */
const reply = (message: ConvertMessage) => void sendFrame(pipe, packed(message)).catch(() => {})

let task: ConvertOrder | undefined
const pipe = openPipe(converterFd, {
  maxBytes: Infinity,
  take(frame) {
    if (!task) return void (task = unpacked(frame) as ConvertOrder)
    const { kind, source } = task
    task = undefined
    void answer({ kind, source: { ...source, bytes: frame, isGivenUp: true } }).then(reply)
  },
})
pipe.on('error', () => {}).on('close', () => process.kill(group, 'SIGKILL'))

/** Converts one file. Removes the limits at the end, so idle time does not count. */
async function answer({ kind, source }: ConvertTask): Promise<ConvertResponse> {
  try {
    const mark = (pagesRead: number) => reply({ pagesRead })
    const budget = startBudget({ bytes: source.bytes.byteLength, limit, mark })
    mark(0)
    const converted = await convert(kind, source, budget)
    releaseBuffer(source.bytes)
    return { converted, isWorn: isWorn() }
  } catch (thrown) {
    return { thrown: packThrown(toAppError(thrown)), isWorn: isWorn() }
  } finally {
    limit({ cpuMs: Infinity, rssMb: Infinity })
  }
}

/** True if so much memory is left over from earlier files that it would count against later ones. */
const isWorn = () => process.memoryUsage.rss() > 180_000_000
