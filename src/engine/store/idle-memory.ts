import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const idleMs = 2000
/** Less is not worth the pause of a full collection. */
const worthBytes = 12 * 2 ** 20

export type IdleMemoryOptions = {
  /** Whether calls are running: what they use is no garbage yet, and a full collection would hold them up for half a second. */
  isBusy?(): boolean
  /** Frees what can be freed: a full collection by V8 unless given. */
  collect?(): void
}

export type IdleMemory = {
  worked(): void
  /** Gives back at once what is worth it: for threads whose next piece of work may be as large. */
  rest(): void
}

/**
 * Gives memory back once a thread has had nothing to do for a moment. V8 collects garbage when it needs room: what a
 * large page or a crawl leaves would otherwise stay for minutes. Call `worked` after each piece of work.
 */
export function createIdleMemory({
  isBusy = () => false,
  collect = collectGarbage,
}: IdleMemoryOptions = {}): IdleMemory {
  let keptBytes = heapBytes()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    clearTimeout(timer)
    timer = undefined
    if (isBusy() || heapBytes() - keptBytes < worthBytes) return
    collect()
    keptBytes = heapBytes()
  }
  return {
    worked() {
      if (timer) timer.refresh()
      else timer = setTimeout(look, idleMs).unref()
    },
    rest: look,
  }
}

function heapBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

type Gc = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8 shows its collector to contexts that are made after this flag was set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Gc
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
