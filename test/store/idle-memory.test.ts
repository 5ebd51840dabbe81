import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { createIdleMemory } from '../../src/engine/store/idle-memory.ts'

const heapMb = () => getHeapStatistics().total_heap_size / 2 ** 20

it('gives back what is no longer used, once there is nothing to do', async () => {
  const memory = createIdleMemory()
  const before = heapMb()
  const junk = { kept: Array.from({ length: 2_000_000 }, (_, at) => ({ at })) }
  expect(heapMb() - before).toBeGreaterThan(60)
  junk.kept = []
  memory.worked()
  memory.worked()
  await expect.poll(() => heapMb() - before, { timeout: 20_000, interval: 100 }).toBeLessThan(30)
})
