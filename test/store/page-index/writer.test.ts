import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWriter } from '../../../src/engine/store/sqlite/page-index/entries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const open = (weight = 1) => {
  const batches: number[][] = []
  const complaints: number[] = []
  const writer = createWriter<number>(
    async (items) => {
      batches.push([...items])
      if (items.includes(0)) throw new Error('cannot be written')
    },
    (_, items) => complaints.push(items),
    () => weight,
  )
  return { batches, complaints, ...writer }
}
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1)

test('a page after a quiet second is written immediately, pages within the next second together', async () => {
  const { batches, put } = open()
  await Promise.all([put(1), put(2), vi.advanceTimersByTimeAsync(1)])
  expect(batches).toEqual([[1, 2]])
  void put(3)
  await vi.advanceTimersByTimeAsync(500)
  const last = put(4)
  await vi.advanceTimersByTimeAsync(400)
  expect(batches).toEqual([[1, 2]])
  await Promise.all([last, vi.advanceTimersByTimeAsync(100)])
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('pending pages are written immediately for a caller that waits for them', async () => {
  const { batches, put, idle } = open()
  void put(1)
  await idle()
  void put(2)
  await idle()
  await idle()
  expect(batches).toEqual([[1], [2]])
})

test.each([
  ['pages', 1, 2100, [1024, 1024, 52]],
  ['text', 2 ** 20, 5, [2, 2, 1]],
])('a batch with enough %s does not wait for more', async (_, weight, count, sizes) => {
  const { batches, put, idle } = open(weight)
  const written = upTo(count).map(put)
  await written[sizes[0] ?? 0]
  await idle()
  expect(batches.map(({ length }) => length)).toEqual(sizes)
  expect(batches.flat()).toEqual(upTo(count))
})

test('a batch that cannot be written is logged, and the next is written', async () => {
  const { batches, complaints, put, idle } = open()
  await Promise.all([put(0), put(1), idle()])
  await Promise.all([put(2), idle()])
  expect(complaints).toEqual([2])
  expect(batches).toEqual([[0, 1], [2]])
})
