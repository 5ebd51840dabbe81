import { isBuiltin } from 'node:module'
import { failure } from '../../../../kernel/error.ts'
import type { Db } from './db.ts'
import { identityOf, memoryInsteadOf, setAside, whyRefused } from './place.ts'
import { openSqlite } from './sqlite-db.ts'
import { OpenRefused } from './sqlite-wire.ts'
import type { StoreLocation, StoreOptions } from '../../store.ts'

type Opened = { db: Db; place: StoreLocation }
type Tools = Pick<StoreOptions, 'clock' | 'log' | 'memoryMaxBytes' | 'thread'>

/**
 * A database opened by the first call that needs it. A file that cannot be opened is replaced by one in memory, and
 * `place` says so from then on. Where Node comes without SQLite every call fails with DATABASE_UNAVAILABLE.
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
      transaction: async (statements, when) => (await opened()).transaction(statements, when),
      hasten: async () => (await opened()).hasten(),
      transactionInParts: async (parts) => (await opened()).transactionInParts(parts),
      compact: async () => (await opened()).compact(),
      async close() {
        closed = true
        await (await opening?.catch(() => undefined))?.db.close()
      },
    },
  }
}

async function open(asked: StoreLocation, tools: Tools): Promise<Opened> {
  // Desktop programs bring a Node of their own, which need not have it.
  if (!isBuiltin('node:sqlite')) throw failure('DATABASE_UNAVAILABLE', noSqlite)
  if (asked.path === null) return { db: await openMemory(tools), place: asked }
  const { path } = asked
  if (tools.thread === 'this one') return { db: await openHere(path), place: asked }
  const identity = await identityOf(path)
  try {
    return { db: await openFile(path), place: asked }
  } catch (thrown) {
    const found = isCorrupt(thrown) ? await openAfresh(path, identity, tools) : inMemory(path, thrown)
    if (found.place.warning !== undefined) tools.log.warn('store', { warning: found.place.warning })
    return found
  }
}

const noSqlite = {
  message:
    'This Node has no SQLite (node:sqlite), which holds jobs, sessions and the cache. Pages are read without it.',
  hint: 'Run Gossamer with Node from nodejs.org: put its path in the "command" of the client.',
}

async function openMemory({ memoryMaxBytes }: Tools): Promise<Db> {
  const db = openSqlite(':memory:')
  if (memoryMaxBytes !== undefined) {
    const [row] = await db.all('PRAGMA page_size')
    await db.all(`PRAGMA max_page_count = ${Math.ceil(memoryMaxBytes / Number(row?.page_size))}`)
  }
  return db
}

/** Whoever works in a thread of its own does so beside another, which sees to a file that cannot be used. */
const openHere = async (path: string): Promise<Db> => (await import('./local-db.ts')).openLocalDb(path)

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
