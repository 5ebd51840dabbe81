import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../src/engine/store/sqlite/db/migrate.ts'
import { migrations } from '../../src/engine/store/sqlite/db/schema.ts'
import { claimFrom } from '../contracts/crawl-world.ts'
import { document } from '../contracts/fixtures.ts'
import { tempDir, tempStore } from './kit.ts'

const steps = ['CREATE TABLE one (a)', 'ALTER TABLE one ADD COLUMN b', 'CREATE TABLE two (a)']
const versionOf = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version
const tablesOf = (db: DatabaseSync) =>
  db
    .prepare('SELECT name FROM sqlite_schema ORDER BY name')
    .all()
    .map(({ name }) => name)

describe('migrations', () => {
  test('take a fresh database to the newest schema', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db)
    expect(versionOf(db)).toBe(migrations.length)
    expect(tablesOf(db)).toEqual(expect.arrayContaining(['cache_page', 'job', 'ledger', 'usage_day', 'api_key']))
  })

  test('go on from where the database is, keeping its rows', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db, steps.slice(0, 1))
    db.exec('INSERT INTO one VALUES (1)')
    migrate(db, steps)
    migrate(db, steps)
    expect(versionOf(db)).toBe(3)
    expect(db.prepare('SELECT * FROM one').all()).toEqual([{ a: 1, b: null }])
  })

  test('that fail leave the version before, whole', () => {
    const db = new DatabaseSync(':memory:')
    expect(() => migrate(db, ['CREATE TABLE one (a)', 'CREATE TABLE two (a); CREATE TABLE one (a)'])).toThrow(
      'already exists',
    )
    expect(versionOf(db)).toBe(1)
    expect(tablesOf(db)).toEqual(['one'])
  })

  test('refuse a database of a later version', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db, steps)
    expect(() => migrate(db, steps.slice(0, 2))).toThrow('its schema is version 3, this program knows 2')
    expect(versionOf(db)).toBe(3)
  })
})

test('months of usage are kept from before endpoints were told apart', () => {
  const db = new DatabaseSync(':memory:')
  const before = migrations.findIndex((step) => step.includes('CREATE TABLE usage_month'))
  migrate(db, migrations.slice(0, before))
  db.exec(`INSERT INTO usage_day (team_id, day, key_name, month, credits)
    VALUES ('team', 1, 'laptop', 7, 2), ('team', 2, 'laptop', 7, 3), ('team', 40, 'laptop', 8, 4), ('other', 1, '', 7, 5)`)
  migrate(db)
  expect(
    db.prepare('SELECT team_id, month, key_name, endpoint, credits FROM usage_month ORDER BY credits').all(),
  ).toEqual([
    { team_id: 'team', month: 8, key_name: 'laptop', endpoint: '', credits: 4 },
    { team_id: 'other', month: 7, key_name: '', endpoint: '', credits: 5 },
    { team_id: 'team', month: 7, key_name: 'laptop', endpoint: '', credits: 5 },
  ])
})

/** A crawl of the version before leases and closing marks were apart: one page done, one with a worker that died. */
const crawlOfVersion7 = `
  INSERT INTO crawl (id, team_id, kind, target, created_at, expires_at, status, request_zst, page_limit,
      max_concurrency, delay_ms, is_kicked_off, landed_url, warnings)
    VALUES ('c', 'team', 'crawl', 'https://site.test/', 0, 9e15, 'scraping', x'28b52ffd20021100007b7d', 10, 5, 0, 1,
      'https://www.site.test/', '[]');
  INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, source, state)
    VALUES ('done', 'c', x'01', 'https://site.test/done', 'site.test:443', 0, 'start', 0),
      ('held', 'c', x'02', 'https://site.test/held', 'site.test:443', 1, 'link', 0),
      ('next', 'c', x'03', 'https://site.test/next', 'site.test:443', 1, 'link', 0);
  UPDATE crawl_page SET state = 1, owner = 'dead', lease_until = 1, tries = 1 WHERE id IN ('done', 'held');
  UPDATE crawl_page SET state = 2, owner = 'mark', ended_at = 1 WHERE id = 'done';
  INSERT INTO crawl_host (crawl_id, host, gap_ms) VALUES ('c', 'slow.test:443', 7000);
  INSERT INTO delivery (id, crawl_id, type, url, headers, body_zst, created_at, state, next_at, owner, why, ended_at)
    VALUES ('lost', 'c', 'crawl.page', 'u', '{}', x'28b52ffd20021100007b7d', 0, 'given up', 0, NULL, 'no answer', 5),
      ('due', 'c', 'crawl.page', 'u', '{"a":"b"}', x'28b52ffd20021100007b7d', 1, 'due', 2, 'dead', NULL, NULL);`

test('a data folder of an earlier version opens, and its crawl goes on', async () => {
  const dir = await tempDir()
  const before = new DatabaseSync(join(dir, 'gossamer.db'))
  migrate(before, migrations.slice(0, 7))
  before.exec(crawlOfVersion7)
  before.close()

  // Of that time: what has been over for days is swept.
  const { store } = await tempStore({ dir, clock: { now: () => 1000 } })
  const { crawls, deliveries } = store
  expect(await crawls.find('c')).toMatchObject({
    isSeeded: true,
    finalUrl: 'https://www.site.test/',
    request: {},
    counts: { waiting: 1, active: 1, done: 1 },
  })
  expect(await crawls.reap()).toEqual([])
  const pages = await claimFrom(crawls, 'c', { workerId: 'me' })
  expect(pages.map(({ id, tries }) => [id, tries])).toEqual([
    ['held', 2],
    ['next', 1],
  ])
  for (const page of pages)
    expect(await crawls.finish(page, 'me', { kind: 'document', document: document(page.id), credits: 1 })).toBe(
      'finished',
    )
  expect(await crawls.complete('c')).toBe(true)
  expect((await crawls.progress('c', { skip: 0, limit: 10, maxBytes: 1e6 }))?.documents).toHaveLength(2)
  expect(await deliveries.abandoned('c')).toEqual([{ id: 'lost', type: 'crawl.page', at: 5, why: 'no answer' }])
  expect(await deliveries.claim('me', 10, 1000)).toEqual([{ crawlId: 'c', teamId: 'team', wasPaused: false }])
  expect((await deliveries.look('c', 10)).due).toMatchObject([{ id: 'due', turn: 1, tries: 0 }])
  expect(await deliveries.read('due')).toMatchObject({ headers: { a: 'b' }, body: '{}' })
  expect(store.describe()).toEqual({ kind: 'file', path: join(dir, 'gossamer.db') })
})
