import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const idleMs = 2000
/** Less is not worth the pause of a full collection. */
const worthBytes = 12 * 2 ** 20

/**
 * Gives memory back once a thread has had nothing to do for a moment. V8 collects garbage when it needs room: what a
 * large page or a crawl leaves would otherwise stay for minutes. Call `worked` after each piece of work.
 */
export function createIdleMemory(): { worked(): void } {
  let keptBytes = heapBytes()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    timer = undefined
    if (heapBytes() - keptBytes < worthBytes) return
    collect()
    keptBytes = heapBytes()
  }
  return {
    worked() {
      if (timer) timer.refresh()
      else timer = setTimeout(look, idleMs).unref()
    },
  }
}

function heapBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

type Gc = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8 shows its collector to contexts that are made after this flag was set. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Gc
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
