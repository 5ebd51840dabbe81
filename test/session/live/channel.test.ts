import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientSocket } from '../../../src/contracts/session.ts'
import { createViewerChannel } from '../../../src/engine/session/live-view/viewer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function outletOf() {
  const sent: (string | Uint8Array)[] = []
  const closes: number[] = []
  const closed = vi.fn<() => void>()
  let waiting = 0
  const peer: ClientSocket = {
    send: (message) => void sent.push(message),
    bufferedBytes: () => waiting,
    pause: () => undefined,
    resume: () => undefined,
    listen: () => undefined,
    close: (code) => void closes.push(code),
  }
  const outlet = createViewerChannel(peer, closed)
  return { outlet, sent, closes, closed, wait: (bytes: number) => void (waiting = bytes) }
}
const frame = (n: number) => ({ n, message: Uint8Array.of(n), jpeg: Uint8Array.of(n) })

test('sends the newest frame when there is room again, and none of those between', () => {
  const { outlet, sent } = outletOf()
  for (const n of [1, 2, 3, 4, 5]) outlet.offer(frame(n))
  expect(sent).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  expect(outlet.isReady()).toBe(false)
  outlet.drawn(1)
  expect(sent.at(-1)).toEqual(Uint8Array.of(5))
  outlet.drawn(2)
  expect(sent).toHaveLength(3)
})

test('adds no frame to much that waits', () => {
  const { outlet, sent, wait } = outletOf()
  wait(400_000)
  outlet.offer(frame(1))
  expect(sent).toEqual([])
  wait(0)
  outlet.drawn(0)
  expect(sent).toHaveLength(1)
})

test('cuts off who does not read', () => {
  const { outlet, sent, closes, closed, wait } = outletOf()
  wait(5_000_000)
  outlet.tell({ type: 'pong' })
  expect([sent.length, closes, closed.mock.calls.length]).toEqual([0, [1008], 1])
  outlet.tell({ type: 'pong' })
  outlet.offer(frame(1))
  expect(sent).toEqual([])
})

test('cuts off who draws nothing for half a minute, and nobody else', async () => {
  const { outlet, closes } = outletOf()
  outlet.offer(frame(1))
  await vi.advanceTimersByTimeAsync(29_000)
  outlet.drawn(1)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(closes).toEqual([])
  outlet.offer(frame(2))
  await vi.advanceTimersByTimeAsync(31_000)
  expect(closes).toEqual([1008])
})
