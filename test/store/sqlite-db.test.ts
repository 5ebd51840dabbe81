import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type { Db } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir } from './kit.ts'

const source = join(import.meta.dirname, '../../src/engine/store/sqlite/db')
const slowQuery =
  'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000) SELECT COUNT(*) AS n FROM n'

function open(path = ':memory:', start?: (path: string) => Worker): Db {
  return forTest(openSqlite(path, start))
}

async function withTable(db: Db): Promise<Db> {
  await db.run('CREATE TABLE t (id TEXT PRIMARY KEY, v, v_zst BLOB)')
  return db
}

/** A database whose threads the test can end. */
function killable(path: string): { db: Db; threads: Worker[] } {
  const threads: Worker[] = []
  const db = open(path, (file) => {
    const worker = new Worker(join(source, 'sqlite-worker.ts'), { workerData: file })
    threads.push(worker)
    return worker
  })
  return { db, threads }
}

test('a long query of a database behind a thread does not block the event loop', async () => {
  const db = open()
  await db.all('SELECT 1')
  let ticks = 0
  let isDone = false
  const tick = () => {
    ticks += 1
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  expect(await db.all(slowQuery)).toEqual([{ n: 2_000_000 }])
  isDone = true
  expect(ticks).toBeGreaterThan(100)
})

test('when a database thread dies, pending calls reject with the reason and the next call starts it again', async () => {
  const { db, threads } = killable(join(await tempDir(), 'a.db'))
  await withTable(db)
  await db.run("INSERT INTO t (id) VALUES ('kept')")
  const pending = [db.all(slowQuery), db.run("INSERT INTO t (id) VALUES ('lost')")]
  const rejected = Promise.allSettled(pending)
  await threads[0]?.terminate()
  for (const outcome of await rejected)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'DATABASE_UNAVAILABLE',
        cause: { message: 'The database thread stopped before it answered; the next call starts it again.' },
      },
    })
  expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'kept' }])
  expect(threads).toHaveLength(2)
})

/** A thread that cannot send its first answer. */
const speechless = `
  const { parentPort } = require('node:worker_threads')
  const post = parentPort.postMessage.bind(parentPort)
  let tries = 0
  parentPort.postMessage = (...all) => {
    tries += 1
    if (tries === 1) throw new Error('No room for the answer.')
    post(...all)
  }
  import(${JSON.stringify(join(source, 'sqlite-worker.ts'))})`

test('an answer that cannot be sent fails only its own call', async () => {
  const db = open(':memory:', (file) => new Worker(speechless, { eval: true, workerData: file }))
  await expect(db.all('SELECT 1')).rejects.toThrow('No room for the answer.')
  expect(await db.all('SELECT 2 AS n')).toEqual([{ n: 2 }])
})

test('parts of an abandoned transaction are not kept', async () => {
  const { db, threads } = killable(':memory:')
  await withTable(db)
  const sent: { id: number; kind: string }[] = []
  const post = threads[0]!.postMessage.bind(threads[0])
  threads[0]!.postMessage = (request: (typeof sent)[number], ...more: never[]) => {
    sent.push(request)
    post(request, ...more)
  }
  await expect(db.transactionInParts(brokenParts())).rejects.toThrow('no more')
  const id = sent.find(({ kind }) => kind === 'part')?.id
  // This transaction has the id of the parts, so it would contain them if they were kept.
  post({ id, kind: 'transaction', statements: [{ sql: "INSERT INTO t (id) VALUES ('whole')" }] })
  expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'whole' }])
})

function* brokenParts() {
  yield [{ sql: "INSERT INTO t (id) VALUES ('part')" }]
  throw new Error('no more')
}

test('the worker file is found next to the bundled program', async () => {
  const dir = await tempDir()
  await build({
    entryPoints: [join(source, 'sqlite-db.ts'), join(source, 'sqlite-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: dir,
    logLevel: 'error',
  })
  const bundled = (await import(join(dir, 'sqlite-db.js'))) as { openSqlite: typeof openSqlite }
  const db = bundled.openSqlite(':memory:')
  expect(await db.all('SELECT COUNT(*) AS n FROM job')).toEqual([{ n: 0 }])
  await db.close()
})
