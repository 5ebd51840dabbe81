import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, it } from 'vitest'
import { createIdleMemory } from '../../src/engine/store/idle-memory.ts'

// Memory of earlier files outside the heap would be freed meanwhile, and hide the growth.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
beforeEach(() => collectGarbage())

const heapMb = () => getHeapStatistics().total_heap_size / 2 ** 20

/** Arrays until the heap has grown by 100 MB, each so large that no room to spare is used for it. */
const fillHeap = (before: number) => {
  const chunks: number[][] = []
  while (heapMb() - before < 100) chunks.push(Array<number>(200_000).fill(0))
  return chunks
}

it('unused memory is released once there is nothing to do', async () => {
  const memory = createIdleMemory()
  const before = heapMb()
  const junk = { kept: fillHeap(before) }
  junk.kept = []
  memory.worked()
  memory.worked()
  await expect.poll(() => heapMb() - before, { interval: 100 }).toBeLessThan(30)
})

it('memory is released only after running work has ended', async () => {
  const running = { calls: 1 }
  const seen: string[] = []
  const memory = createIdleMemory({
    isBusy: () => {
      seen.push('looked')
      return running.calls > 0
    },
    collect: () => seen.push('collected'),
  })
  const junk = fillHeap(heapMb())
  memory.worked()
  await expect.poll(() => seen, { interval: 100 }).toEqual(['looked'])
  running.calls = 0
  memory.worked()
  await expect.poll(() => seen, { interval: 100 }).toEqual(['looked', 'looked', 'collected'])
  expect(junk).not.toEqual([])
})
