import { applyPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { changedBlocks, patchOf } from '../../src/engine/scrape/formats/change/patch.ts'
import { changeStatus, comparable, stateOf } from '../../src/engine/scrape/formats/change/tracking.ts'
import type { Observation } from '../../src/engine/scrape/formats/format-maker.ts'

/** Returns reproducible random numbers from 0 up to, but not including, 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), 1 | state)
    const twice = (once + Math.imul(once ^ (once >>> 7), 61 | once)) ^ once
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
}
const lines = (count: number, line: (nth: number) => string) => Array.from({ length: count }, (_, nth) => line(nth))

const ended = (all: readonly string[]) => (all.length === 0 ? '' : `${all.join('\n')}\n`)

type Patch = Awaited<ReturnType<typeof patchOf>>
type Chunks = Patch['json']['files'][number]['chunks']

/** Checks that a patch turns one text into the other, and that its structure agrees with its text. */
async function check(old: readonly string[], now: readonly string[]) {
  const { text, json } = await patchOf(old.join('\n'), now.join('\n'))
  // Compared outside of expect, which would take long to show how they differ.
  expect(applyPatch(ended(old), text) === ended(now)).toBe(true)
  const { additions, deletions, chunks } = json.files[0] ?? { additions: 0, deletions: 0, chunks: [] }
  const changes = chunks.flatMap((chunk) => chunk.changes)
  checkLines(old, now, chunks)
  expect([additions, deletions]).toEqual(
    ['add', 'del'].map((type) => changes.filter((change) => change.type === type).length),
  )
  return { text, additions, deletions, chunks }
}

function checkLines(old: readonly string[], now: readonly string[], chunks: Chunks) {
  for (const { oldLines, newLines, changes } of chunks) {
    expect(changes.filter(({ type }) => type !== 'add')).toHaveLength(oldLines)
    expect(changes.filter(({ type }) => type !== 'del')).toHaveLength(newLines)
    for (const change of changes) {
      const line = change.content.slice(1)
      if (change.type === 'add') expect(now[change.ln - 1]).toBe(line)
      else expect(old[(change.type === 'del' ? change.ln : change.ln1) - 1]).toBe(line)
      if (change.type === 'normal') expect(now[change.ln2 - 1]).toBe(line)
    }
  }
}

describe('a patch', () => {
  test.each<[string, string[], string[], string]>([
    ['of nothing', ['a'], ['a'], ''],
    ['of a first text', [], ['a', 'b'], '@@ -0,0 +1,2 @@\n+a\n+b\n'],
    ['of a text that is gone', ['a', 'b'], [], '@@ -1,2 +0,0 @@\n-a\n-b\n'],
    ['of one line', ['a'], ['b'], '@@ -1,1 +1,1 @@\n-a\n+b\n'],
    ['at the start', ['a', 'b', 'c', 'd', 'e'], ['x', 'b', 'c', 'd', 'e'], '@@ -1,4 +1,4 @@\n-a\n+x\n b\n c\n d\n'],
    ['at the end', ['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c', 'd', 'x'], '@@ -2,4 +2,4 @@\n b\n c\n d\n-e\n+x\n'],
    ['of blank lines', ['a', '', 'b'], ['a', '', '', 'b'], '@@ -1,3 +1,4 @@\n a\n \n+\n b\n'],
  ])('%s', async (_, old, now, text) => expect((await check(old, now)).text).toBe(text))

  test.each([
    [6, 1],
    [7, 2],
  ])('separates hunks if more than six lines between them are equal: %i', async (between, hunks) => {
    const middle = lines(between, (nth) => `m${nth}`)
    expect((await check(['a', ...middle, 'b'], ['x', ...middle, 'y'])).chunks).toHaveLength(hunks)
  })

  test('turns any text into any other', async () => {
    const next = dice(1)
    for (let round = 0; round < 300; round++) {
      const letters = 'abcdefghijklmnop'.slice(0, 1 + Math.floor(next() * 16))
      // The first line is not blank: joined, a single blank line would become no line.
      const text = () => [
        '-',
        ...lines(Math.floor(next() * 40), () => letters[Math.floor(next() * letters.length)] ?? ''),
      ]
      await check(text(), text())
    }
  })

  test('with few differences is as short as possible', async () => {
    const next = dice(2)
    const old = lines(400, () => String(Math.floor(next() * 50)))
    const now = old.flatMap((line, nth) => (nth % 40 === 7 ? [] : nth % 40 === 23 ? [line, 'more'] : line))
    expect(await check(old, now)).toMatchObject({ additions: 10, deletions: 10 })
  })

  test.each<[string, (next: () => number) => [string[], string[]]]>([
    ['nothing in common', () => [lines(20_000, (nth) => `a${nth}`), lines(20_000, (nth) => `b${nth}`)]],
    ['another order', (next) => [lines(20_000, String), lines(20_000, String).toSorted(() => next() - 0.5)]],
    ['the reverse order', () => [lines(20_000, String), lines(20_000, String).toReversed()]],
    [
      'three different lines only',
      (next) => {
        const any = () => lines(20_000, () => 'abc'[Math.floor(next() * 3)] ?? '')
        return [any(), any()]
      },
    ],
    ['blank lines only', () => [lines(20_000, () => ''), ['x', ...lines(15_000, () => ''), 'y']]],
    [
      'every second line changed',
      () => [lines(20_000, String), lines(20_000, (nth) => (nth % 2 ? `${nth}` : `x${nth}`))],
    ],
  ])('of two long texts ends and is correct: %s', async (_, make) => {
    const [old, now] = make(dice(4))
    const { chunks } = await patchOf(old.join('\n'), now.join('\n')).then(({ json }) => json.files[0]!)
    expect(chunks.length).toBeGreaterThan(0)
    let [oldAt, newAt] = [0, 0]
    for (const { oldFrom, oldTo, newFrom, newTo } of await changedBlocks(old, now)) {
      expect(old.slice(oldAt, oldFrom).join('\n') === now.slice(newAt, newFrom).join('\n')).toBe(true)
      ;[oldAt, newAt] = [oldTo, newTo]
    }
    expect(old.slice(oldAt).join('\n') === now.slice(newAt).join('\n')).toBe(true)
  })
})

describe('two texts compare as equal', () => {
  test.each([
    ['with other line ends', 'a\nb', 'a\r\nb\r\n'],
    ['with whitespace at the end of lines', 'a\nb', 'a  \nb\t\u00a0'],
    ['with blank lines at the end', 'a', 'a\n\n  \n'],
    ['with letters composed otherwise', '\u00e9\u1100\u1161', 'e\u0301\uac00'],
    ['with half a character, which databases cannot store', 'a\ud800b', 'a\ufffdb'],
  ])('%s', (_, one, other) => expect(comparable(one)).toBe(comparable(other)))

  test.each([
    ['with other digits', '12', '21'],
    ['with whitespace at the start', 'a', ' a'],
    ['with more whitespace within', 'a b', 'a  b'],
    ['with one more blank line within', 'a\nb', 'a\n\nb'],
    ['with letters that only look alike', 'A', '\u0391'],
    ['with a ligature', 'fi', '\ufb01'],
  ])('but not %s', (_, one, other) => expect(comparable(one)).not.toBe(comparable(other)))
})

const observation = (facts: Partial<Observation>): Observation => ({
  status: 200,
  at: 2,
  origin: 'site',
  standIn: undefined,
  ...facts,
})
const before = (markdown: string | null, at = 1) => ({ at, markdown, isLinked: true })

describe('visited state of a page', () => {
  test.each<[Partial<Observation>, string, ReturnType<typeof stateOf>]>([
    [{}, 'text', 'here'],
    [{}, '', 'unknown'],
    [{ status: 203 }, 'text', 'here'],
    ...[204, 205, 206, 301, 304, 400, 401, 403, 408, 429, 500, 503].map(
      (status): [Partial<Observation>, string, 'unknown'] => [{ status }, 'text', 'unknown'],
    ),
    [{ status: 404 }, 'text', 'gone'],
    [{ status: 410 }, '', 'gone'],
    [{ status: 404, standIn: 'bot check' }, 'text', 'unknown'],
    [{ standIn: 'shell without text' }, 'text', 'unknown'],
  ])('is %j with %j: %s', (facts, text, state) => expect(stateOf(observation(facts), text)).toBe(state))

  test.each([
    ['new', undefined, 'a', {}],
    ['removed', undefined, null, {}],
    ['same', before('a'), 'a', {}],
    ['changed', before('a'), 'b', {}],
    ['removed', before('a'), null, {}],
    ['removed', before(null), null, {}],
    ['changed', before(null), 'a', {}],
    ['same', before('a', 2), 'b', { origin: 'cache' as const }],
    ['changed', before('a', 1), 'b', { origin: 'cache' as const }],
    ['changed', before('a', 2), 'b', {}],
  ])('is %s after %j for %j %j', (status, previous, text, facts) => {
    expect(changeStatus(previous, text, observation(facts))).toBe(status)
  })
})
