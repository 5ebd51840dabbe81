import { closeSync, openSync } from 'node:fs'
import { access, constants, mkdir, rename, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolder } from '../../make-folder.ts'
import type { Refusal } from './sqlite-wire.ts'
import type { StoreLocation } from '../../store.ts'
import type { Storage } from '../../../../contracts/job-ports.ts'
import { AppError, errorCode } from '../../../../kernel/error.ts'
import type { Db } from './db.ts'

const fileName = 'gossamer.db'
export const databaseFile = (dir: string): string => join(dir, fileName)
const inMemory: StoreLocation = { kind: 'memory', path: null }

/** Creates the folder (for its owner only) and an empty file in it. If that fails, the warning says why. */
export async function choosePlace(dir: string | null): Promise<StoreLocation> {
  if (dir === null) return inMemory
  const path = databaseFile(dir)
  try {
    await makeFolder(dir, 0o700)
    await ownedFile(path)
    return { kind: 'file', path }
  } catch (thrown) {
    return memoryInsteadOf(path, whyNot(thrown))
  }
}

/**
 * Creates the file if missing. An existing file is never opened here: closing it would drop the locks that SQLite holds
 * on it in this process.
 */
export async function ownedFile(path: string): Promise<void> {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown
    await access(path, constants.R_OK | constants.W_OK)
  }
}

export function memoryInsteadOf(path: string, why: string): StoreLocation {
  const warning = `${path} cannot be used: ${why} Until then jobs, usage, API keys and the page cache are held in memory and end with this process.`
  return { ...inMemory, warning }
}

function whyNot(thrown: unknown): string {
  const code = errorCode(thrown)
  return whyByCode[String(code)] ?? `the system says ${String(code ?? thrown)}. Set dataDir to another folder.`
}

const notWritable = 'it is not writable. Make it writable or set dataDir to another folder.'
const notAFolder = 'the folder would be inside a file. Set dataDir to a folder.'
const whyByCode: Record<string, string> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  EEXIST: notAFolder,
  ENOTDIR: notAFolder,
  ENOSPC: 'the disk is full. Free some space or set dataDir to another folder.',
}

/** Explains why SQLite refused an existing file. */
export function whyRefused(refusal: Refusal, message: string): string {
  if (refusal === 'older') return `${message}. Set dataDir to a new folder; this one is left as it is.`
  if (refusal === 'newer') return `${message}. Update gossamer-mcp or set dataDir to another folder.`
  return `SQLite says "${message}". Free the path and the disk, or set dataDir to another folder.`
}

/** Returns an identifier that distinguishes successive files at the same path; undefined if there is no file. */
export async function identityOf(path: string): Promise<string | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined)
  return facts && `${facts.dev}:${facts.ino}`
}

/**
 * Renames a corrupt database to `<path>.corrupt-<time>` unless another process already did. The write-ahead log is
 * moved first: otherwise it would be replayed into the new file. Returns the new name.
 */
export async function setAside(path: string, identity: string | undefined, now: number): Promise<string | undefined> {
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

/** Locks by creating a folder, which is atomic everywhere. A lock of a process that died is removed after a while. */
async function lockFolder(lock: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await mkdir(lock)
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST' || tried === lockTries) throw thrown
    }
    const facts = await stat(lock).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > lockStaleMs) await rmdir(lock).catch(() => undefined)
    await pause(lockAgainMs)
  }
}

/** Less than one page of a crawl and its records may need. */
const minFreeBytes = 2 ** 20
/** A large write may fail for lack of space although the next small one succeeds. */
const rememberedMs = 10_000

/** Detects a full disk, by failed writes and by the free space that the system reports. */
export function watchDisk(place: () => StoreLocation): { storage: Storage; watched(db: Db): Db } {
  let refusedAt = -Infinity
  const noted = async <T>(work: Promise<T>): Promise<T> => {
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
      run: (sql, params) => noted(db.run(sql, params)),
      transaction: (statements) => noted(db.transaction(statements)),
      transactionInParts: (parts) => noted(db.transactionInParts(parts)),
    }),
  }
}

/** Returns the bytes that this user may still write; file systems reserve a part for root. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  if (!found) return Infinity
  return found.bsize * (process.getuid?.() === 0 ? found.bfree : found.bavail)
}
