import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, it } from 'vitest'
import { createIdleMemory } from '../../src/engine/store/idle-memory.ts'

// Idle memory includes memory outside the heap; freeing what earlier test files left there would hide the growth.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
beforeEach(() => collectGarbage())

const heapMb = () => getHeapStatistics().total_heap_size / 2 ** 20

/** Returns arrays, each too large for the free space of the heap, that let it grow by 100 MB. */
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
