import { describe, expect, test } from 'vitest'
import { createProgress, render, stateOf, withSample } from '../../src/cli/progress-bar.ts'
import { durationText } from '../../src/util/amounts.ts'

const state = { done: 30, total: 120, failed: 2, pagesPerSecond: 3.25, etaMs: 27_000 }

test.each([
  [80, '[########..........................]  30/120 pages  2 errors  3.3 pages/s  ETA 27s'.length],
  [200, 40 + 4 + '30/120 pages  2 errors  3.3 pages/s  ETA 27s'.length],
])('a bar for %i columns is %i wide', (width, length) => {
  const line = render(state, width)
  expect(line.length).toBe(Math.min(length, width))
  expect(line).toMatch(/^\[#+\.+\] {2}30\/120 pages {2}2 errors {2}3\.3 pages\/s {2}ETA 27s$/)
})

test.each([
  [50, '30/120 pages  2 errors  3.3 pages/s  ETA 27s'],
  [40, '30/120 pages  2 errors  3.3 pages/s'],
  [12, '30/120 pages'],
  [0, ''],
])('a terminal of %i columns shows the facts that fit', (width, line) => expect(render(state, width)).toBe(line))

test.each([
  [0, '0s'],
  [59_400, '59s'],
  [59_600, '1m 00s'],
  [3_600_000, '1h 00m'],
  [99 * 3_600_000, '4d 03h'],
])('%i ms are %s', (ms, text) => expect(durationText(ms)).toBe(text))

const after = (seconds: readonly number[]) =>
  seconds.reduce<{ at: number; count: number }[]>(
    (samples, second) => withSample(samples, { at: second * 1000, count: second * 2 }),
    [],
  )
describe('the pages per second', () => {
  test('give the remaining time', () => {
    const { pagesPerSecond, etaMs } = stateOf({ done: 20, total: 100, failed: 10 }, after([0, 5, 10]))
    expect([pagesPerSecond, etaMs]).toEqual([2, 35_000])
  })
  test('count only the last half minute', () => {
    const fast = [
      { at: 0, count: 0 },
      { at: 10_000, count: 1000 },
    ]
    const slow = [40_000, 50_000, 60_000].reduce(
      (samples, at) => withSample(samples, { at, count: 1000 + at / 1000 }),
      fast,
    )
    expect(slow[0]?.at).toBe(10_000)
    const later = withSample(slow, { at: 70_000, count: 1070 })
    expect(stateOf({ done: 0, total: 0, failed: 0 }, later).pagesPerSecond).toBe(1)
  })
  test('give no remaining time if no page arrives', () => {
    const samples = [
      { at: 0, count: 5 },
      { at: 9000, count: 5 },
    ]
    expect(stateOf({ done: 5, total: 9, failed: 0 }, samples).etaMs).toBeUndefined()
  })
})

function screen(isTerminal: boolean) {
  let now = 0
  const written: string[] = []
  const progress = createProgress({
    write: (text) => void written.push(text),
    isTerminal,
    columns: () => 60,
    now: () => now,
  })
  const update = (at: number, done: number) => {
    now = at
    progress.update({ done, total: 9, failed: 0 })
  }
  return { written, update, clear: progress.clear }
}

describe('on a terminal', () => {
  test('a bar is redrawn in place at most ten times a second, without control codes', () => {
    const { written, update } = screen(true)
    for (let at = 0; at <= 1000; at += 10) update(at, 1)
    expect(written.length).toBe(11)
    for (const text of written) expect(text).toMatch(/^[\u0020-\u007e]{1,59}\r$/)
  })
  test('the line is cleared at the end, once', () => {
    const { written, update, clear } = screen(true)
    update(0, 1)
    clear()
    clear()
    expect(written.at(-1)).toBe(`${' '.repeat(written[0]!.length - 1)}\r`)
    expect(written.length).toBe(2)
  })
})

test('without a terminal a line is printed every ten seconds', () => {
  const { written, update, clear } = screen(false)
  for (let at = 0; at <= 25_000; at += 250) update(at, at / 5000)
  clear()
  expect(written).toEqual(['2/9 pages  0.2 pages/s  ETA 35s\n', '4/9 pages  0.2 pages/s  ETA 25s\n'])
})
