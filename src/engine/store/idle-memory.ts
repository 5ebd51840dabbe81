import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const idleMs = 2000
/** Growth of the heap since the last collection that makes a full one worth its pause. */
const minGrowthBytes = 12 * 2 ** 20

export type IdleMemoryOptions = {
  /**
   * True while calls are running: their memory is not garbage yet, and a full collection would delay them by half a
   * second.
   */
  isBusy?(): boolean
  /** Frees memory; by default a full collection by V8. */
  collect?(): void
}

export type IdleMemory = {
  worked(): void
  /** Collects immediately if worthwhile: for threads whose next task may be as large. */
  rest(): void
}

/**
 * Releases memory once a thread has been idle for 2 s. V8 collects garbage only when it needs room, so memory used by a
 * large page or a crawl would otherwise stay allocated for minutes. Call `worked` after each task.
 */
export function createIdleMemory({
  isBusy = () => false,
  collect = collectGarbage,
}: IdleMemoryOptions = {}): IdleMemory {
  let collectedBytes = heapBytes()
  let timer: NodeJS.Timeout | undefined
  const collectIfIdle = () => {
    clearTimeout(timer)
    timer = undefined
    if (isBusy() || heapBytes() - collectedBytes < minGrowthBytes) return
    collect()
    collectedBytes = heapBytes()
  }
  return {
    worked() {
      if (timer) timer.refresh()
      else timer = setTimeout(collectIfIdle, idleMs).unref()
    },
    rest: collectIfIdle,
  }
}

function heapBytes(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

type Gc = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8 exposes its collector only to contexts created after this flag was set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Gc
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
