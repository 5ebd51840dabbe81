import { closeSync, openSync } from 'node:fs'
import { access, constants, mkdir, rename, rmdir, stat, statfs } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolder } from '../../make-folder.ts'
import { lockedByOther, OpenRefused, type Refusal } from './sqlite-wire.ts'
import { openSqlite } from './sqlite-db.ts'
import type { StoreLocation, StoreOptions } from '../../store.ts'
import type { Storage } from '../../../../contracts/job-ports.ts'
import { AppError, errorCode, failure } from '../../../../kernel/error.ts'
import type { Db } from './db.ts'

const fileName = 'gossamer.db'
export const databaseFile = (dir: string): string => join(dir, fileName)
const memoryPlace: StoreLocation = { kind: 'memory', path: null }

/** Creates the folder (for its owner only) and an empty file in it. If that fails, the warning says why. */
export async function choosePlace(dir: string | null): Promise<StoreLocation> {
  if (dir === null) return memoryPlace
  const path = databaseFile(dir)
  try {
    await makeFolder(dir, 0o700)
    await ownedFile(path)
    return { kind: 'file', path }
  } catch (thrown) {
    return memoryInsteadOf(path, reasonOf(thrown))
  }
}

/**
 * Creates the file if missing. An existing file is never opened here: closing it would drop the locks that SQLite holds
 * on it in this process.
 */
async function ownedFile(path: string): Promise<void> {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown
    await access(path, constants.R_OK | constants.W_OK)
  }
}

function memoryInsteadOf(path: string, why: string): StoreLocation {
  const warning = `${path} cannot be used: ${why} Until then jobs, usage, API keys and the page cache are held in memory and end with this process.`
  return { ...memoryPlace, warning }
}

function reasonOf(thrown: unknown): string {
  const code = errorCode(thrown)
  return reasonByCode[String(code)] ?? `the system reports ${String(code ?? thrown)}. Set dataDir to another folder.`
}

const notWritable = 'it is not writable. Make it writable or set dataDir to another folder.'
const notAFolder = 'the folder would be inside a file. Set dataDir to a folder.'
const reasonByCode: Record<string, string> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  EEXIST: notAFolder,
  ENOTDIR: notAFolder,
  ENOSPC: 'the disk is full. Free some space or set dataDir to another folder.',
}

/** Describes why SQLite refused an existing file. */
function refusalText(refusal: Refusal, message: string): string {
  if (refusal === 'older') return `${message}. Set dataDir to a new folder; this one is left as it is.`
  if (refusal === 'newer') return `${message}. Update gossamer-mcp or set dataDir to another folder.`
  return `SQLite says "${message}". Check the file and the disk, or set dataDir to another folder.`
}

/** Returns an identifier that distinguishes successive files at the same path; undefined if there is no file. */
async function identityOf(path: string): Promise<string | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined)
  return facts && `${facts.dev}:${facts.ino}`
}

/**
 * Renames a file that is not a database to `<path>.corrupt-<time>` and returns the new name; undefined if another
 * process has already replaced the file. The write-ahead log is moved first: otherwise it would be replayed into the
 * new file.
 */
async function setAside(path: string, identity: string | undefined, now: number): Promise<string | undefined> {
  const aside = `${path}.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  return underLock(`${path}.lock`, async () => {
    if (identity === undefined || (await identityOf(path)) !== identity) return undefined
    for (const suffix of ['-wal', '-shm']) await rename(path + suffix, aside + suffix).catch(() => undefined)
    await rename(path, aside)
    return aside
  })
}

const lockTries = 400
const lockAgainMs = 25
const lockStaleMs = 5000

async function underLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await lockFolder(lock)
  try {
    return await work()
  } finally {
    await rmdir(lock)
  }
}

/**
 * Locks by creating a folder, which is atomic everywhere. A lock older than `lockStaleMs` belongs to a dead process.
 */
async function lockFolder(lock: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await mkdir(lock)
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST' || attempt === lockTries) throw thrown
    }
    const facts = await stat(lock).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > lockStaleMs) await rmdir(lock).catch(() => undefined)
    await pause(lockAgainMs)
  }
}

type Opened = { db: Db; place: StoreLocation }
type Tools = Pick<StoreOptions, 'clock' | 'log' | 'memoryMaxBytes' | 'thread'>

/**
 * Opens a database on the first call. A file that is not a database is replaced by a new file, an unusable one by a
 * database in memory; `place` reports both from then on. If the file is locked or damaged, or Node has no SQLite, the
 * call fails with DATABASE_UNAVAILABLE or DATABASE_DAMAGED and the next call tries again.
 */
export function openLazily(chosen: StoreLocation, tools: Tools): { db: Db; place(): StoreLocation } {
  let place = chosen
  let opening: Promise<Opened> | undefined
  let closed = false
  const opened = async (): Promise<Db> => {
    if (closed) throw new Error('The store is closed.')
    opening ??= open(chosen, tools)
    const base = await opening.catch((thrown: unknown) => {
      opening = undefined
      throw thrown
    })
    place = base.place
    return base.db
  }
  return {
    place: () => place,
    db: {
      all: async (sql, params) => (await opened()).all(sql, params),
      run: async (sql, params) => (await opened()).run(sql, params),
      snapshot: async (statements) => (await opened()).snapshot(statements),
      transaction: async (statements) => (await opened()).transaction(statements),
      transactionInParts: async (parts) => (await opened()).transactionInParts(parts),
      compact: async () => (await opened()).compact(),
      async close() {
        closed = true
        await (await opening?.catch(() => undefined))?.db.close()
      },
    },
  }
}

async function open(place: StoreLocation, tools: Tools): Promise<Opened> {
  // Desktop programs bundle their own Node, which may lack SQLite.
  if (!isBuiltin('node:sqlite')) throw failure('DATABASE_UNAVAILABLE', noSqlite)
  const { path } = place
  if (path === null) return { db: await openMemory(tools), place }
  if (tools.thread === 'this one') return { db: await openHere(path), place }
  const identity = await identityOf(path)
  try {
    return { db: await openFile(path), place }
  } catch (thrown) {
    if (isRefused(thrown, 'locked')) throw failure('DATABASE_UNAVAILABLE', { ...lockedByOther, cause: thrown })
    // A damaged file is not replaced: its keys and teams may still be readable, or restored from a backup.
    if (isRefused(thrown, 'damaged')) throw failure('DATABASE_DAMAGED', { cause: thrown })
    const opened = isRefused(thrown, 'foreign') ? await openNew(path, identity, tools) : openInMemory(path, thrown)
    tools.log.warn('store', { warning: opened.place.warning })
    return opened
  }
}

const noSqlite = {
  message:
    'This Node has no SQLite (node:sqlite), which holds jobs, sessions and the cache. Pages can still be read without it.',
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

/** Opens the file in the caller's thread, with no replacement in memory: the main thread reports an unusable file. */
const openHere = async (path: string): Promise<Db> => (await import('./local-db.ts')).openLocalDb(path)

const isRefused = (thrown: unknown, why: Refusal): boolean => thrown instanceof OpenRefused && thrown.refusal === why

async function openFile(path: string): Promise<Db> {
  const db = openSqlite(path)
  await db.all('SELECT 1')
  return db
}

/** Renames the file and opens a new one. */
async function openNew(path: string, identity: string | undefined, { clock }: Tools): Promise<Opened> {
  try {
    const aside = await setAside(path, identity, clock.now())
    await ownedFile(path)
    const db = await openFile(path)
    const warning = `${path} was corrupt and a new file was created. ${aside === undefined ? 'Another process moved the old one aside.' : `The old one is kept as ${aside}.`}`
    return { db, place: { kind: 'file', path, warning } }
  } catch (thrown) {
    return openInMemory(path, thrown)
  }
}

function openInMemory(path: string, thrown: unknown): Opened {
  const [refusal, message] =
    thrown instanceof OpenRefused
      ? ([thrown.refusal, thrown.message] as const)
      : (['unusable', String(thrown)] as const)
  return { db: openSqlite(':memory:'), place: memoryInsteadOf(path, refusalText(refusal, message)) }
}

/** Free space below which the disk counts as full. */
const minFreeBytes = 2 ** 20
/** Time for which the disk counts as full after a failed write, although a smaller write may still succeed. */
const rememberedMs = 10_000

/** Detects a full disk, by failed writes and by the free space that the system reports. */
export function watchDisk(place: () => StoreLocation): { storage: Storage; watched(db: Db): Db } {
  let refusedAt = -Infinity
  const watchedWrite = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'STORAGE_FULL') refusedAt = performance.now()
      throw thrown
    }
  }
  return {
    storage: {
      async isFull() {
        if (performance.now() - refusedAt < rememberedMs) return true
        const { path } = place()
        return path !== null && (await freeBytes(dirname(path))) < minFreeBytes
      },
    },
    watched: (db) => ({
      ...db,
      run: (sql, params) => watchedWrite(db.run(sql, params)),
      transaction: (statements) => watchedWrite(db.transaction(statements)),
      transactionInParts: (parts) => watchedWrite(db.transactionInParts(parts)),
    }),
  }
}

/** Returns the bytes that this user may still write (file systems reserve a part for root); Infinity if unknown. */
async function freeBytes(folder: string): Promise<number> {
  const facts = await statfs(folder).catch(() => undefined)
  if (!facts) return Infinity
  return facts.bsize * (process.getuid?.() === 0 ? facts.bfree : facts.bavail)
}
