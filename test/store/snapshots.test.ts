import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contracts/crawl-ports.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createSnapshots } from '../../src/engine/store/sqlite/monitors.ts'
import { forTest } from '../helpers/for-all.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'

const dayMs = 86_400_000
const url = 'https://example.com/'

function open() {
  const db = forTest(openSqlite(':memory:'))
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
  test('replaced by later ones is one row', async () => {
    const { snapshots, aSnapshot, clock, count } = open()
    for (let nth = 0; nth < 3; nth++) await snapshots.keep('team', url, '', aSnapshot({ at: clock.now() + nth }))
    expect(await count()).toBe(1)
  })

  test('older than four hundred days is deleted', async () => {
    const { snapshots, aSnapshot, clock, count } = open()
    for (let nth = 0; nth < 450; nth++) await snapshots.keep('team', `${url}${nth}`, '', aSnapshot())
    clock.advance(400 * dayMs)
    await snapshots.keep('team', url, '', aSnapshot())
    await snapshots.idle()
    expect(await count()).toBe(1)
  })
})
