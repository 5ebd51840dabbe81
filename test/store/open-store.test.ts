import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { tempDir, tempStore } from './kit.ts'
import { aJob, aPage } from '../contracts/fixtures.ts'

const notADatabase = Buffer.alloc(8192, 'not a database ')

async function schemaVersion(): Promise<number> {
  const dir = await tempDir()
  await (await tempStore({ dir })).store.ready()
  const file = new DatabaseSync(join(dir, 'gossamer.db'))
  const row = file.prepare('PRAGMA user_version').get()
  file.close()
  return Number(row?.user_version)
}

describe('a store in a folder', () => {
  test('creates the folder for its owner only', async () => {
    const dir = join(await tempDir(), 'a', 'b')
    const { store } = await tempStore({ dir })
    expect(store.describe()).toEqual({ kind: 'file', path: join(dir, 'gossamer.db') })
    await store.ready()
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o077).toBe(0)
  })

  test('keeps the first writes of two programs that start together', async () => {
    for (let round = 0; round < 8; round++) {
      const dir = await tempDir()
      const opened = [await tempStore({ dir }), await tempStore({ dir })]
      await Promise.all(opened.map(({ store }, at) => store.pages.keep(`${at}`, aPage(), Buffer.from('body'))))
      expect(opened.flatMap(({ lines }) => lines)).toEqual([])
      for (const { store } of opened) await store.close()
    }
  })

  test('can be opened twice by one program', async () => {
    const dir = await tempDir()
    const [one, two] = [await tempStore({ dir }), await tempStore({ dir })]
    const jobs = Array.from({ length: 40 }, (_, nth) => ({ by: nth % 2 ? one : two, job: aJob() }))
    await Promise.all(jobs.map(({ by, job }) => by.store.jobs.record(job)))
    expect(await one.store.usage.since('team', 0)).toBe(40)
  })

  test('rejects calls after it was closed, and can be closed twice', async () => {
    const { store } = await tempStore({ dir: await tempDir() })
    await store.jobs.record(aJob())
    await store.close()
    await store.close()
    await expect(store.jobs.find('a')).rejects.toThrow('The store is closed.')
  })
})

test('no file of a store contains an API key', async () => {
  const dir = await tempDir()
  const { store } = await tempStore({ dir })
  const { key } = await store.keys.add({ name: 'laptop', teamId: 'team', permissions: [] })
  await store.close()
  const file = await readFile(join(dir, 'gossamer.db'))
  expect([file.includes('laptop'), file.includes(key.slice(8))]).toEqual([true, false])
})

test('without a folder a store is in memory', async () => {
  const { store, lines } = await tempStore()
  await store.pages.keep('k', aPage(), Buffer.from('a'))
  expect(await store.pages.find('k')).toEqual(aPage())
  expect(store.describe()).toEqual({ kind: 'memory', path: null })
  expect(lines).toEqual([])
})

describe('a folder that cannot be used is replaced by memory, with a warning', () => {
  test.each<{ what: string; prepare(dir: string): Promise<string>; says: string }>([
    {
      what: 'the path is a file',
      prepare: async (dir) => (await writeFile(join(dir, 'file'), ''), join(dir, 'file')),
      says: 'the folder would be inside a file. Set dataDir to a folder.',
    },
    {
      what: 'the path is inside a file',
      prepare: async (dir) => (await writeFile(join(dir, 'file'), ''), join(dir, 'file', 'deep')),
      says: 'the folder would be inside a file. Set dataDir to a folder.',
    },
    {
      what: 'the database is a folder',
      prepare: async (dir) => (await mkdir(join(dir, 'gossamer.db')), dir),
      says: 'SQLite says "unable to open database file". Check the file and the disk, or set dataDir to another folder.',
    },
    {
      what: 'the database was written by a newer version',
      prepare: async (dir) => {
        const db = new DatabaseSync(join(dir, 'gossamer.db'))
        db.exec('CREATE TABLE from_the_future (a); PRAGMA user_version = 99')
        db.close()
        return dir
      },
      says: 'its schema is version 99, this program knows VERSION. Update gossamer-mcp or set dataDir to another folder.',
    },
    {
      what: 'the database was written by an older version',
      prepare: async (dir) => {
        const db = new DatabaseSync(join(dir, 'gossamer.db'))
        db.exec('CREATE TABLE job (id TEXT PRIMARY KEY); PRAGMA user_version = 25')
        db.close()
        return dir
      },
      says: 'its schema is version 25, this program knows VERSION. Set dataDir to a new folder; this one is left as it is.',
    },
  ])('$what', async ({ prepare, says }) => {
    const dir = await prepare(await tempDir())
    const { store, lines } = await tempStore({ dir })
    const known = String(await schemaVersion())
    const job = aJob()
    await store.jobs.record(job)
    expect(await store.jobs.find(job.id)).toEqual(job)
    const warning = `${join(dir, 'gossamer.db')} cannot be used: ${says.replace('VERSION', known)} Until then jobs, usage, API keys and the page cache are held in memory and end with this process.`
    expect(store.describe()).toEqual({ kind: 'memory', path: null, warning })
    expect(lines).toEqual([{ level: 'warn', event: 'store', facts: { warning } }])
  })

  test.each([99, 25])('a database of schema version %i stays unchanged', async (version) => {
    const dir = await tempDir()
    const path = join(dir, 'gossamer.db')
    const db = new DatabaseSync(path)
    db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE of_its_own (a); PRAGMA user_version = ${version}`)
    db.close()
    const before = await readFile(path)
    const { store } = await tempStore({ dir })
    await store.ready()
    await store.close()
    expect((await readFile(path)).equals(before)).toBe(true)
  })
})

describe('a corrupt database', () => {
  test('that is something else is moved aside, whole, and a new one created', async () => {
    const dir = await tempDir()
    await writeFile(join(dir, 'gossamer.db'), notADatabase)
    const { store, clock } = await tempStore({ dir })
    await store.jobs.record(aJob({ id: 'after' }))

    const aside = `gossamer.db.corrupt-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`
    expect((await readFile(join(dir, aside))).equals(notADatabase)).toBe(true)
    expect(store.describe()).toEqual({
      kind: 'file',
      path: join(dir, 'gossamer.db'),
      warning: `${join(dir, 'gossamer.db')} was corrupt and a new file was created. The old one is kept as ${join(dir, aside)}.`,
    })
    expect((await stat(join(dir, 'gossamer.db'))).mode & 0o777).toBe(0o600)
    await store.close()
    const again = await tempStore({ dir })
    expect(await again.store.jobs.find('after')).toMatchObject({ id: 'after' })
    expect(again.lines).toEqual([])
  })

  test.each<[string, (whole: Buffer) => Buffer]>([
    ['whose tables cannot be read', (whole) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(8000, 7)])],
    ['that was cut off', (whole) => whole.subarray(0, 4096 * 7 + 100)],
    [
      'of which every 997th byte is wrong',
      (whole) => whole.map((byte, at) => (at > 4096 && at % 997 === 0 ? ~byte : byte)) as Buffer,
    ],
  ])('%s but whose header is intact is reported by every call, and stays unchanged', async (_, damage) => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    await first.store.jobs.record(aJob())
    await first.store.close()
    const path = join(dir, 'gossamer.db')
    const damaged = damage(await readFile(path))
    await writeFile(path, damaged)
    const { store } = await tempStore({ dir })
    for (const call of [() => store.ready(), () => store.jobs.record(aJob()), () => store.keys.list()])
      await expect(call()).rejects.toMatchObject({ code: 'DATABASE_DAMAGED', hint: expect.stringContaining('backup') })
    expect((await readFile(path)).equals(damaged)).toBe(true)
    expect((await readdir(dir)).filter((name) => name.includes('.corrupt-'))).toEqual([])
  })

  test('with an intact header is reported as damaged by the call that reads it and by a full check', async () => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    for (let at = 0; at < 200; at++) await first.store.jobs.record(aJob({ id: `job ${at}`, target: 'x'.repeat(3000) }))
    await first.store.close()
    const path = join(dir, 'gossamer.db')
    const whole = await readFile(path)
    const from = Math.floor(whole.length * 0.8)
    await writeFile(path, Buffer.concat([whole.subarray(0, from), Buffer.alloc(whole.length - from, 7)]))
    const { store } = await tempStore({ dir })
    const damaged = { code: 'DATABASE_DAMAGED', hint: expect.stringContaining('backup') }
    const finds = Array.from({ length: 200 }, (_, at) => store.jobs.find(`job ${at}`))
    const refused = (await Promise.allSettled(finds)).filter((each) => each.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject(damaged)
    await expect(store.verify?.()).rejects.toMatchObject(damaged)
    expect(store.describe()).toEqual({ kind: 'file', path })
  })

  test('found by six stores concurrently is moved aside once, and all use the new file', async () => {
    const dir = await tempDir()
    await writeFile(join(dir, 'gossamer.db'), notADatabase)
    const opened = await Promise.all(Array.from({ length: 6 }, () => tempStore({ dir })))
    await Promise.all(opened.map(({ store }) => store.jobs.record(aJob())))
    expect(await opened[0]?.store.usage.since('team', 0)).toBe(6)
    const names = await readdir(dir)
    expect(names.filter((name) => name.includes('.corrupt-'))).toHaveLength(1)
    expect(names).not.toContain('gossamer.db.lock')
  })
})

describe('a lock of another program', () => {
  /** Calls that wait in line for one lock. */
  const many = 20

  test('fails all waiting writes with DATABASE_UNAVAILABLE, while reads and later writes succeed', async () => {
    const dir = await tempDir()
    const { store } = await tempStore({ dir })
    await store.ready()
    const other = new DatabaseSync(join(dir, 'gossamer.db'))
    other.exec('BEGIN IMMEDIATE')
    const locked = { code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('locked'), status: 503 }
    const writes = Array.from({ length: many }, () =>
      store.keys.add({ name: 'laptop', teamId: 'team', permissions: [] }),
    )
    for (const write of writes) await expect(write).rejects.toMatchObject(locked)
    expect(await store.keys.list()).toEqual([])
    other.close()
    await store.jobs.record(aJob({ id: 'after' }))
    expect(await store.jobs.find('after')).toBeDefined()
  })

  test('on the whole file causes no move to memory: the store opens once the lock is gone', async () => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    await first.store.jobs.record(aJob({ id: 'kept' }))
    await first.store.close()
    const other = new DatabaseSync(join(dir, 'gossamer.db'))
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 1; ROLLBACK')
    const { store } = await tempStore({ dir })
    await expect(store.ready()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503 })
    other.close()
    expect(await store.jobs.find('kept')).toMatchObject({ id: 'kept' })
    expect(store.describe()).toMatchObject({ kind: 'file' })
  })
})
