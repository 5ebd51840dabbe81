import { describe, expect, onTestFinished, test } from 'vitest'
import type { Snapshot } from '../../src/contracts/crawl.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createSnapshots } from '../../src/engine/store/sqlite/snapshots.ts'
import { fakeClock, logBook, tempDir, tempStore } from './kit.ts'

const dayMs = 86_400_000
const url = 'https://example.com/'

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const { log, lines } = logBook()
  const snapshots = createSnapshots({ db, clock, log, closing: new AbortController().signal })
  const aSnapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
    at: clock.now(),
    markdown: '# Hello',
    isLinked: true,
    ...changes,
  })
  const count = async () => Number((await db.all('SELECT COUNT(*) AS n FROM snapshot'))[0]?.n)
  return { db, clock, lines, snapshots, aSnapshot, count }
}

describe('a snapshot', () => {
  test.each<[string, Partial<Snapshot>]>([
    ['of a page', { markdown: 'naïve 🕸\0\r\n' }],
    ['of a page that is gone', { markdown: null }],
    ['of a page without text', { markdown: '' }],
    ['of a page that no link led to', { isLinked: false }],
    ['with what was extracted', { json: { price: [1, null, { a: '🕸' }] } }],
  ])('comes back as it was: %s', async (_, changes) => {
    const { snapshots, aSnapshot } = open()
    await snapshots.keep('team', url, 'tag', aSnapshot(changes))
    expect(await snapshots.last('team', url, 'tag')).toEqual(aSnapshot(changes))
  })

  test.each<[string, [string, string, string]]>([
    ['team', ['other', url, 'tag']],
    ['address', ['team', `${url}a`, 'tag']],
    ['tag', ['team', url, '']],
  ])('is that of one %s', async (_, key) => {
    const { snapshots, aSnapshot } = open()
    await snapshots.keep('team', url, 'tag', aSnapshot())
    expect(await snapshots.last(...key)).toBeUndefined()
    await snapshots.keep(...key, aSnapshot({ markdown: 'other' }))
    expect(await snapshots.last('team', url, 'tag')).toEqual(aSnapshot())
  })

  test('takes the place of the one before, but never of a later one', async () => {
    const { snapshots, aSnapshot, clock, count } = open()
    const later = clock.now() + 1
    await snapshots.keep('team', url, '', aSnapshot({ json: { a: 1 }, isLinked: false }))
    await snapshots.keep('team', url, '', aSnapshot({ at: later, markdown: null }))
    await snapshots.keep('team', url, '', aSnapshot({ markdown: 'late to come' }))
    expect(await snapshots.last('team', url, '')).toEqual({ at: later, markdown: null, isLinked: true })
    await snapshots.keep('team', url, '', aSnapshot({ at: later, markdown: 'of the same moment' }))
    expect(await snapshots.last('team', url, '')).toMatchObject({ markdown: 'of the same moment' })
    expect(await count()).toBe(1)
  })

  test('kept by many at once is the latest of them', async () => {
    const { snapshots, aSnapshot, clock } = open()
    const start = clock.now()
    const keep = (nth: number) =>
      snapshots.keep('team', url, '', aSnapshot({ at: start + (nth % 50), markdown: `${nth}` }))
    await Promise.all(Array.from({ length: 99 }, (_, nth) => keep(nth)))
    expect(await snapshots.last('team', url, '')).toMatchObject({ at: start + 49, markdown: '49' })
  })

  test('of four hundred days ago is none, and is deleted in time', async () => {
    const { snapshots, aSnapshot, clock, count } = open()
    for (let nth = 0; nth < 450; nth++) await snapshots.keep('team', `${url}${nth}`, '', aSnapshot())
    clock.advance(400 * dayMs - 1)
    expect(await snapshots.last('team', `${url}7`, '')).toBeDefined()
    clock.advance(1)
    expect(await snapshots.last('team', `${url}7`, '')).toBeUndefined()
    await snapshots.keep('team', url, '', aSnapshot())
    await snapshots.idle()
    expect(await count()).toBe(1)
  })

  test('is kept even when old ones cannot be deleted', async () => {
    const { snapshots, aSnapshot, lines, db } = open()
    await db.run("CREATE TRIGGER no_delete BEFORE DELETE ON snapshot BEGIN SELECT RAISE(ABORT, 'no'); END")
    await db.run("INSERT INTO snapshot (team_id, url, tag, taken_at, is_linked) VALUES ('t', 'u', '', 0, 1)")
    await snapshots.keep('team', url, '', aSnapshot())
    await snapshots.idle()
    expect(await snapshots.last('team', url, '')).toEqual(aSnapshot())
    expect(lines.map(({ event }) => event)).toEqual(['old rows could not be deleted'])
  })

  test('is there again when the program is started again', async () => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    const snapshot = { at: first.clock.now(), markdown: 'a', isLinked: true }
    await first.store.snapshots.keep('team', url, '', snapshot)
    await first.store.close()
    const { store } = await tempStore({ dir })
    expect(await store.snapshots.last('team', url, '')).toEqual(snapshot)
  })
})
