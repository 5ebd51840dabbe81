import { getCompileCacheDir } from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { watchCpu } from './watch-cpu.ts'

/** The URL of a worker's file beside the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export const threadUrl = (name: string, here: string): URL =>
  new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'transferList'> & {
  /** MB for objects that live long; no limit by default. */
  heapMb?: number
  /** MB for new objects. */
  youngMb: number
}

/**
 * Starts a thread without our environment, but with the folder of compiled code, which is one of Node's version inside the
 * folder that Node is given. Node 22 warns that its SQLite is experimental, which no reader of stderr can act on.
 */
export function startThread(url: URL, { heapMb, youngMb, ...options }: ThreadOptions): Worker {
  const compiled = getCompileCacheDir()
  return new Worker(url, {
    ...options,
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: `${compiled}/..` },
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMb,
      ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }),
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
}

type Call = {
  signal?: AbortSignal
  /** Buffers that move to the thread. */
  moved?: ArrayBuffer[] | undefined
  /** CPU time of the call, and the error for a thread that needs more. */
  cpu?: { maxMs: number; over(): Error }
  /** Message of the error for a thread that ends without an answer. */
  lost: string
  /** The error for a thread that exceeds its `heapMb`. */
  outOfMemory(cause: Error): Error
}

/** Sends a request to a thread that answers one at a time. If this rejects, the thread has ended or may be busy still. */
export async function ask<Answer>(thread: Worker, request: unknown, call: Call): Promise<Answer> {
  const { signal, moved = [], cpu, lost, outOfMemory } = call
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const leave = () => reject(signal?.reason as Error)
  const failed = (cause: NodeJS.ErrnoException) =>
    reject(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(cause) : cause)
  const ended = () => reject(new Error(lost))
  signal?.addEventListener('abort', leave, { once: true })
  thread.on('message', resolve).on('error', failed).on('exit', ended)
  const unwatch = cpu && watchCpu(thread, cpu.maxMs, () => reject(cpu.over()))
  try {
    thread.postMessage(request, moved)
    return await promise
  } finally {
    unwatch?.()
    signal?.removeEventListener('abort', leave)
    thread.off('message', resolve).off('error', failed).off('exit', ended)
  }
}
