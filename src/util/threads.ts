import { getCompileCacheDir } from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** URL of a worker file next to the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export const threadUrl = (name: string, here: string): URL =>
  new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'transferList'> & {
  /** Limit for long-lived objects, in MB; that of V8 by default. */
  heapMb?: number
  /** Limit for new objects, in MB. */
  youngMb: number
}

/**
 * Starts a thread without environment variables, except that of the compile cache: `getCompileCacheDir` returns the
 * subfolder of the Node version, so its parent is passed on. Hides the warning of Node 22 that SQLite is experimental.
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
  /** Buffers to transfer to the thread. */
  moved?: ArrayBuffer[] | undefined
  /** CPU time limit of the call, and the error if the thread exceeds it. */
  cpu?: { maxMs: number; over(): Error }
  /** Error message if the thread exits without an answer. */
  lost: string
  /** The error if the thread exceeds its `heapMb`. */
  outOfMemory(cause: Error): Error
}

/**
 * Sends a request to a thread that handles one at a time. After a rejection, the thread has exited or is still busy.
 */
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

/** The part of a `Worker` or child process that a crew needs. */
type Member = {
  ref(): void
  unref(): void
  terminate(): unknown
  on(event: 'error' | 'exit', forget: () => void): unknown
}

type Crew<M> = {
  start(): M
  /** The member that became idle last, so that the others reach their timeout. Undefined if none is idle. */
  wake(): M | undefined
  /** Keeps a member for the next task. It does not keep the process alive, and ends after its idle time. */
  rest(member: M): void
  end(member: M): Promise<void>
  /** Number of members, busy or idle. */
  count(): number
  close(): Promise<void>
}

type CrewOptions<M> = {
  start(): M
  idleMs: number
  /** Idle time of the last remaining member. */
  lastIdleMs?: number
}

/** Reusable threads or child processes. One that exited or failed is removed, so later callers are not affected. */
export function createCrew<M extends Member>({ start, idleMs, lastIdleMs = idleMs }: CrewOptions<M>): Crew<M> {
  const all = new Set<M>()
  const idle = new Map<M, NodeJS.Timeout>()

  function forget(member: M): void {
    all.delete(member)
    clearTimeout(idle.get(member))
    idle.delete(member)
  }
  async function end(member: M): Promise<void> {
    forget(member)
    await member.terminate()
  }

  return {
    start() {
      const member = start()
      all.add(member)
      member.on('error', () => forget(member))
      member.on('exit', () => forget(member))
      return member
    },
    wake() {
      const member = [...idle.keys()].at(-1)
      if (!member) return undefined
      clearTimeout(idle.get(member))
      idle.delete(member)
      member.ref()
      return member
    },
    rest(member) {
      if (!all.has(member)) return
      member.unref()
      const restMs = all.size > 1 ? idleMs : lastIdleMs
      idle.set(member, setTimeout(() => void end(member), restMs).unref())
    },
    end,
    count: () => all.size,
    close: async () => void (await Promise.all([...all].map(end))),
  }
}

const longestTickMs = 1000
/** Factor by which the time limit exceeds the CPU time limit: on a busy machine, a thread waits for a core. */
const maxWallFactor = 6

/**
 * Calls `over` when the thread has used `maxMs` of CPU time without progress. Waiting for a core counts only against
 * the longer limit of `maxWallFactor`. The first tick is not measured, because most work ends in it; it counts as a
 * whole tick of CPU time.
 * @param progress returns a number that changes with each step of progress.
 * @returns a function that stops watching.
 */
export function watchCpu(
  thread: Pick<Worker, 'cpuUsage'>,
  maxMs: number,
  over: () => void,
  progress = () => 0,
): () => void {
  const tickMs = Math.min(longestTickMs, maxMs / 2)
  let ticks = 0
  let first: number | undefined
  let known = progress()
  const tick = async () => {
    const reached = progress()
    if (reached !== known) {
      known = reached
      ticks = 0
      first = undefined
      return
    }
    ticks += 1
    if (ticks * tickMs > maxMs * maxWallFactor) return over()
    const spent = await spentMs(thread)
    first ??= spent
    if (spent - first + tickMs >= maxMs && progress() === known) over()
  }
  // `cpuUsage` rejects after the thread has exited; its exit event reports why.
  const timer = setInterval(() => void tick().catch(() => {}), tickMs)
  return () => clearInterval(timer)
}

async function spentMs(thread: Pick<Worker, 'cpuUsage'>): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1000
}
