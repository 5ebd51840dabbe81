import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientSocket } from '../../../src/contracts/session-port.ts'
import { createViewerChannel } from '../../../src/engine/session/live-view/viewer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function channelOf() {
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
  const channel = createViewerChannel(peer, closed)
  return { channel, sent, closes, closed, wait: (bytes: number) => void (waiting = bytes) }
}
const frame = (n: number) => ({ n, message: Uint8Array.of(n), jpeg: Uint8Array.of(n) })

test('the newest frame is sent after an acknowledgement, and frames in between are skipped', () => {
  const { channel, sent } = channelOf()
  for (const n of [1, 2, 3, 4, 5]) channel.offer(frame(n))
  expect(sent).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  expect(channel.isReady()).toBe(false)
  channel.drawn(1)
  expect(sent.at(-1)).toEqual(Uint8Array.of(5))
  channel.drawn(2)
  expect(sent).toHaveLength(3)
})

test('a viewer that does not read is disconnected', () => {
  const { channel, sent, closes, closed, wait } = channelOf()
  wait(5_000_000)
  channel.send({ type: 'pong' })
  expect([sent.length, closes, closed.mock.calls.length]).toEqual([0, [1008], 1])
  channel.send({ type: 'pong' })
  channel.offer(frame(1))
  expect(sent).toEqual([])
})

test('a viewer that acknowledges no frame for half a minute is disconnected', async () => {
  const { channel, closes } = channelOf()
  channel.offer(frame(1))
  await vi.advanceTimersByTimeAsync(29_000)
  channel.drawn(1)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(closes).toEqual([])
  channel.offer(frame(2))
  await vi.advanceTimersByTimeAsync(31_000)
  expect(closes).toEqual([1008])
})
