import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '../../../src/engine/browser/cdp/cdp-session.ts'
import type { ScreencastFrame } from '../../../src/engine/session/live-view/messages.ts'
import { createCast, type FrameReceiver } from '../../../src/engine/session/live-view/watched-tab.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A fake CDP session that answers all calls and sends a frame on demand. */
function castOf() {
  const calls: string[] = []
  const listeners = new Map<string, (params: object) => void>()
  const session = {
    send: async (method: string) => void calls.push(method),
    on: (event: string, listener: (params: object) => void) => listeners.set(event, listener),
  } as unknown as Session
  const frames: ScreencastFrame[] = []
  const options = { viewport: { width: 1280, height: 800 }, maxFps: 10, quality: 60 }
  const cast = createCast(session, options, (frame) => frames.push(frame))
  let id = 0
  return {
    cast,
    frames,
    frame: () =>
      listeners.get('Page.screencastFrame')?.({
        sessionId: ++id,
        data: 'AAAA',
        metadata: { deviceWidth: 1280, deviceHeight: 800 },
      }),
    count: (method: string) => calls.filter((each) => each === `Page.${method}`).length,
  }
}
const watcher = (isReady = () => true) =>
  ({ isReady, offer: vi.fn<(frame: ScreencastFrame) => void>() }) satisfies FrameReceiver

test('frames are captured once for all viewers, and not without viewers', () => {
  const { cast, count, frame, frames } = castOf()
  const [one, other] = [watcher(), watcher()]
  cast.add(one)
  cast.add(one)
  cast.add(other)
  expect(count('startScreencast')).toBe(1)
  frame()
  expect(one.offer.mock.calls).toEqual(other.offer.mock.calls)
  cast.remove(one)
  expect(count('stopScreencast')).toBe(0)
  cast.remove(other)
  expect(count('stopScreencast')).toBe(1)
  frame()
  expect(frames).toHaveLength(1)
})

test('frames are requested no faster than the limit', async () => {
  const { cast, count, frame } = castOf()
  cast.add(watcher())
  frame()
  // A page that always moves: each acknowledgement is followed by a frame.
  let seen = 0
  for (let ms = 0; ms < 3000; ms += 10) {
    await vi.advanceTimersByTimeAsync(10)
    if (count('screencastFrameAck') === seen) continue
    seen = count('screencastFrameAck')
    frame()
  }
  expect(count('screencastFrameAck')).toBeGreaterThanOrEqual(29)
  expect(count('screencastFrameAck')).toBeLessThanOrEqual(31)
})

test('no frame is acknowledged while no viewer can receive one', async () => {
  const { cast, count, frame } = castOf()
  let isReady = false
  cast.add(watcher(() => isReady))
  frame()
  await vi.advanceTimersByTimeAsync(1000)
  expect(count('screencastFrameAck')).toBe(0)
  isReady = true
  cast.pump()
  expect(count('screencastFrameAck')).toBe(1)
})

test('one more frame is captured if a change may have been dropped', async () => {
  const { cast, count, frame } = castOf()
  cast.add(watcher())
  for (let each = 0; each < 4; each++) frame()
  await vi.advanceTimersByTimeAsync(2000)
  expect(count('screencastFrameAck')).toBe(4)
  expect([count('stopScreencast'), count('startScreencast')]).toEqual([1, 2])
  // A new screencast starts with a frame of the current page.
  frame()
  await vi.advanceTimersByTimeAsync(2000)
  expect([count('stopScreencast'), count('startScreencast')]).toEqual([1, 2])
})
