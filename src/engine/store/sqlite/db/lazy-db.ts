import type { Log } from '../../../../kernel/log.ts'
import type { Db } from './db.ts'
import { identityOf, memoryInsteadOf, setAside, whyRefused } from './place.ts'
import { OpenRefused, openSqlite } from './sqlite-db.ts'
import type { StoreLocation } from '../../store.ts'
import type { Clock } from '../../../../contracts/ports.ts'

type Opened = { db: Db; place: StoreLocation }
type Tools = { clock: Clock; log: Log; memoryMaxBytes?: number | undefined }

/**
 * A database opened by the first call that needs it. A file that cannot be opened is replaced by one in memory, and
 * `place` says so from then on.
 */
export function openLazily(asked: StoreLocation, tools: Tools): { db: Db; place(): StoreLocation } {
  let place = asked
  let opening: Promise<Opened> | undefined
  let closed = false
  const opened = async (): Promise<Db> => {
    if (closed) throw new Error('The store is closed.')
    opening ??= open(asked, tools)
    const found = await opening
    place = found.place
    return found.db
  }
  return {
    place: () => place,
    db: {
      all: async (sql, params) => (await opened()).all(sql, params),
      run: async (sql, params) => (await opened()).run(sql, params),
      snapshot: async (statements) => (await opened()).snapshot(statements),
      transaction: async (statements) => (await opened()).transaction(statements),
      compact: async () => (await opened()).compact(),
      async close() {
        closed = true
        await (await opening)?.db.close()
      },
    },
  }
}

async function open(asked: StoreLocation, tools: Tools): Promise<Opened> {
  if (asked.path === null) return { db: await openMemory(tools), place: asked }
  const { path } = asked
  const identity = await identityOf(path)
  try {
    return { db: await openFile(path), place: asked }
  } catch (thrown) {
    const found = isCorrupt(thrown) ? await openAfresh(path, identity, tools) : inMemory(path, thrown)
    if (found.place.warning !== undefined) tools.log.warn('store', { warning: found.place.warning })
    return found
  }
}

async function openMemory({ memoryMaxBytes }: Tools): Promise<Db> {
  const db = openSqlite(':memory:')
  if (memoryMaxBytes !== undefined) {
    const [row] = await db.all('PRAGMA page_size')
    await db.all(`PRAGMA max_page_count = ${Math.ceil(memoryMaxBytes / Number(row?.page_size))}`)
  }
  return db
}

const isCorrupt = (thrown: unknown): boolean => thrown instanceof OpenRefused && thrown.refusal === 'corrupt'

async function openFile(path: string): Promise<Db> {
  const db = openSqlite(path)
  await db.all('SELECT 1')
  return db
}

async function openAfresh(path: string, identity: string | undefined, { clock }: Tools): Promise<Opened> {
  try {
    const aside = await setAside(path, identity, clock.now())
    const db = await openFile(path)
    const warning = `${path} was corrupt and a new file was begun. ${aside === undefined ? 'Another process moved the old one aside.' : `The old one is kept as ${aside}.`}`
    return { db, place: { kind: 'file', path, warning } }
  } catch (thrown) {
    return inMemory(path, thrown)
  }
}

function inMemory(path: string, thrown: unknown): Opened {
  const [refusal, message] =
    thrown instanceof OpenRefused
      ? ([thrown.refusal, thrown.message] as const)
      : (['unusable', String(thrown)] as const)
  return { db: openSqlite(':memory:'), place: memoryInsteadOf(path, whyRefused(refusal, message)) }
}
