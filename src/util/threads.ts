import { getCompileCacheDir } from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'

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

/** The part of a `Worker`, or of a child process, that a crew needs. */
type Member = {
  ref(): void
  unref(): void
  terminate(): unknown
  on(event: 'error' | 'exit', forget: () => void): unknown
}

type Crew<M> = {
  start(): M
  /** The member that rests for the shortest time, so that the others reach their end. Undefined if none rests. */
  wake(): M | undefined
  /** Keeps a member for the next task; neither the program nor, after a while, the member stays alive for it. */
  rest(member: M): void
  end(member: M): Promise<void>
  /** Number of members, busy or idle. */
  count(): number
  close(): Promise<void>
}

type CrewOptions<M> = {
  start(): M
  idleMs: number
  /** How long the last member rests. */
  lastIdleMs?: number
}

/** Threads or child processes that are used again. One that has ended or failed is forgotten; an error concerns no later caller. */
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
/** On a busy machine a thread waits for CPU; after this multiple of its limit it is considered hung. */
const maxWallFactor = 6

/**
 * Calls `over` once the thread has used more CPU time than the limit, ms, without any progress. Waiting for a core does
 * not count. The first tick, in which nearly all work is done, is not measured and counts in full.
 * @param progress a number that changes whenever the thread gets on; by default it is given one piece of work.
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
  // A thread that has ended has no times to tell, and says itself why it ended.
  const timer = setInterval(() => void tick().catch(() => {}), tickMs)
  return () => clearInterval(timer)
}

async function spentMs(thread: Pick<Worker, 'cpuUsage'>): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1000
}
