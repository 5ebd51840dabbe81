import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorCode, fail, failure } from '../../../kernel/error.ts'
import { parseJson } from '../../../util/json.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../launch/profile-dir.ts'
import {
  createSealer,
  type Sealer,
  BrokenProfile,
  exists,
  fileNameOf,
  makeOwnFolder,
  readHead,
  removeTemporary,
  setAside,
  readState,
  type StoredProfile,
  writeProfile,
} from './store-file.ts'
import type { OriginState, ProfileState } from '../../../contracts/profile-state.ts'
import type { Clock } from '../../../contracts/ports.ts'

export type ProfileStoreOptions = {
  /** Data folder; null stores nothing on disk, so there are no profiles. */
  dir: string | null
  /** Passphrase for encrypting profiles; without it they are saved as plain text. */
  key?: string | undefined
  clock: Clock
}
type OpenProfileOptions = {
  saveChanges: boolean
  /** Purpose, such as a job id; reported to callers that find the profile in use. */
  by?: string
}
export type OpenProfile = {
  readonly saveChanges: boolean
  /** Undefined for a new profile. */
  readonly state: ProfileState | undefined
  /** Saves the state if saveChanges is set. Fails with PROFILE_IN_USE if the lock is lost. */
  save(state: ProfileState): Promise<void>
  /** Releases the lock. May be called more than once. */
  release(): Promise<void>
}
/** A broken file is listed under its file name. */
export type ListedProfile = StoredProfile | { name: string; isBroken: true }
type ShownProfile = StoredProfile & ProfileOutline & { savingNow?: { pid: number; since: string } }

type ProfilePath = { teamId: string; name: string; folder: string; path: string; lock: string }
type StoreContext = { dir: string; sealer: Sealer | undefined; clock: Clock }

/** Stores browser storage by team and name; one process at a time may save. Fails with PROFILE_UNREADABLE. */
export type ProfileStore = ReturnType<typeof createProfileStore>

export function createProfileStore({ dir, key, clock }: ProfileStoreOptions) {
  const sealer = key === undefined ? undefined : createSealer(key)
  const context = (): StoreContext => (dir === null ? noFolder() : { dir, sealer, clock })
  const pathOf = (teamId: string, name: string): ProfilePath => {
    const folder = folderOf(context().dir, teamId)
    const base = join(folder, fileNameOf(name))
    return { teamId, name, folder, path: `${base}.json`, lock: `${base}.lock` }
  }
  return {
    /** Opens a profile. With saveChanges, fails with PROFILE_IN_USE if it is locked, and renames a broken file. */
    open: (teamId: string, name: string, options: OpenProfileOptions): Promise<OpenProfile> =>
      open(pathOf(teamId, name), options, context()),
    list: (teamId: string) => list(folderOf(context().dir, teamId)),
    /** Returns the contents without values. Fails with NOT_FOUND. */
    async show(teamId: string, name: string): Promise<ShownProfile> {
      const profile = pathOf(teamId, name)
      const { stored, state } = (await read(profile, context())) ?? notFound()
      const holder = await liveHolder(profile.lock, clock)
      return { ...stored, ...outlineOf(state), ...(holder && { savingNow: holder }) }
    },
    /** Fails with NOT_FOUND and PROFILE_IN_USE. */
    delete: (teamId: string, name: string) => remove(pathOf(teamId, name), context()),
    /** Replaces the contents of the profile. Fails with PROFILE_IN_USE. */
    async import(teamId: string, name: string, state: ProfileState): Promise<void> {
      const profile = pathOf(teamId, name)
      await withLock(profile, context(), async () => write(profile, state, await createdAt(profile, clock), context()))
    },
    /** Fails with NOT_FOUND. */
    export: async (teamId: string, name: string): Promise<ProfileState> =>
      ((await read(pathOf(teamId, name), context())) ?? notFound()).state,
  }
}

const folderOf = (dir: string, teamId: string) => join(dir, 'profiles', fileNameOf(teamId))
const noFolder = () =>
  fail('FEATURE_UNAVAILABLE', {
    message: 'Browser profiles need a data folder, but GOSSAMER_DATA_DIR is set to memory.',
  })
const notFound = () =>
  fail('NOT_FOUND', {
    message: 'The browser profile does not exist.',
    hint: 'List the profiles with "gossamer profile list"; a scrape with profile.saveChanges creates one.',
  })

async function open(profile: ProfilePath, { saveChanges, by }: OpenProfileOptions, context: StoreContext) {
  if (!saveChanges) {
    const stored = await read(profile, context)
    return { saveChanges, state: stored?.state, save: async () => {}, release: async () => {} }
  }
  await makeOwnFolder(profile.folder)
  const lock = await takeLock(profile.lock, by, context.clock)
  try {
    const found = await read(profile, context, (path) => setAside(path, context.clock.now()))
    const since = found?.stored.createdAt ?? context.clock.now()
    return {
      saveChanges,
      state: found?.state,
      save: async (state: ProfileState) => {
        await requireLock(lock)
        await write(profile, state, since, context)
      },
      release: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function requireLock(lock: Lock): Promise<void> {
  if (!(await lock.isHeld()))
    fail('PROFILE_IN_USE', { message: 'Another process took over this browser profile while it was in use.' })
}

async function withLock<T>(profile: ProfilePath, { clock }: StoreContext, work: () => Promise<T>): Promise<T> {
  await makeOwnFolder(profile.folder)
  const lock = await takeLock(profile.lock, undefined, clock)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

const keepFile: (path: string) => Promise<string | undefined> = async () => undefined

async function read({ path, teamId }: ProfilePath, { sealer }: StoreContext, onBroken = keepFile) {
  try {
    const found = await readHead(path)
    return found && { stored: found.stored, state: await readState(found.file, teamId, sealer) }
  } catch (thrown) {
    throw thrown instanceof BrokenProfile ? brokenProfileError(await onBroken(path), thrown) : thrown
  }
}

const brokenProfileError = (aside: string | undefined, cause: unknown) =>
  failure('PROFILE_UNREADABLE', {
    message: 'The file of the stored browser profile is damaged.',
    ...(aside !== undefined && {
      hint: 'The damaged file was renamed (see setAside in details); the next call starts with an empty profile.',
      details: { setAside: aside },
    }),
    cause,
  })

const write = (
  { path, teamId, name }: ProfilePath,
  state: ProfileState,
  since: number,
  { sealer, clock }: StoreContext,
) => writeProfile(path, { head: { name, createdAt: since, savedAt: clock.now() }, teamId, state }, sealer)

/** A replaced profile keeps its creation date, unless the file is broken. */
async function createdAt({ path }: ProfilePath, clock: Clock): Promise<number> {
  const found = await readHead(path).catch(() => undefined)
  return found?.stored.createdAt ?? clock.now()
}

async function remove(profile: ProfilePath, context: StoreContext): Promise<void> {
  if (!(await exists(profile.path))) return notFound()
  await withLock(profile, context, async () => {
    await removeTemporary(profile.path)
    await rm(profile.path, { force: true })
  })
}

async function list(folder: string): Promise<ListedProfile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const profiles = await Promise.all(
    names.map(async (file): Promise<ListedProfile[]> => {
      try {
        const found = await readHead(join(folder, file))
        return found ? [found.stored] : []
      } catch {
        return [{ name: file, isBroken: true }]
      }
    }),
  )
  return profiles.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

type OriginOutline = {
  origin: string
  localStorage: number
  databases: number
  records: number
  files: number
  /** Length of the JSON in characters. */
  size: number
}
type ProfileOutline = {
  cookies: { domain: string; count: number }[]
  origins: OriginOutline[]
}

function outlineOf({ cookies, origins }: ProfileState): ProfileOutline {
  const domains = Map.groupBy(cookies, ({ domain }) => domain)
  return {
    cookies: Array.from(domains, ([domain, all]) => ({ domain, count: all.length })),
    origins: origins.map(outlineOfOrigin),
  }
}

function outlineOfOrigin(state: OriginState): OriginOutline {
  const { origin, localStorage, indexedDB = [], opfs = [] } = state
  const records = indexedDB.flatMap(({ stores }) => stores).reduce((sum, store) => sum + store.records.length, 0)
  return {
    origin,
    localStorage: localStorage.length,
    databases: indexedDB.length,
    records,
    files: opfs.filter(({ type }) => type === 'file').length,
    size: JSON.stringify(state).length,
  }
}

type Holder = ProcessIdentity & { since: string; by?: string | undefined; token: string }
type Lock = Awaited<ReturnType<typeof takeLock>>

const heartbeatMs = 30_000
/** Age in ms of a lock file after which a holder on another machine counts as dead. */
const staleMs = 6 * heartbeatMs
/** Upper bound in ms for writing or checking a lock. */
const creationMs = 10_000

/** Creates the lock file, or takes over that of a dead process. Fails with PROFILE_IN_USE and the holder. */
async function takeLock(path: string, by: string | undefined, clock: Clock) {
  const own: Holder = {
    ...(await thisProcess()),
    since: new Date(clock.now()).toISOString(),
    by,
    token: randomUUID(),
  }
  if (!(await tryCreate(path, own))) {
    await clearStale(path, clock)
    if (!(await tryCreate(path, own))) profileInUse(await holderOf(path))
  }
  const beat = () => utimes(path, clock.now() / 1000, clock.now() / 1000).catch(() => undefined)
  await beat()
  const heartbeat = setInterval(() => void beat(), heartbeatMs).unref()
  const isHeld = async () => (await holderOf(path))?.token === own.token
  return {
    isHeld,
    async release() {
      clearInterval(heartbeat)
      if (await isHeld()) await rm(path, { force: true })
    },
  }
}

function profileInUse(holder: Holder | undefined): never {
  const { pid, since, by } = holder ?? {}
  return fail('PROFILE_IN_USE', { details: { heldBy: { pid, since, ...(by !== undefined && { for: by }) } } })
}

/** Returns the holder of the lock; undefined if it is free or stale. */
async function liveHolder(path: string, clock: Clock): Promise<{ pid: number; since: string } | undefined> {
  const holder = await holderOf(path)
  return holder && !(await isStale(path, clock)) ? { pid: holder.pid, since: holder.since } : undefined
}

async function tryCreate(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    return true
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return false
    throw thrown
  }
}

/** Removes a stale lock. A folder guards the removal, otherwise it could remove the new lock of another process. */
async function clearStale(path: string, clock: Clock): Promise<void> {
  const guard = `${path}.clearing`
  try {
    await mkdir(guard)
  } catch {
    if ((await ageMs(guard, Date.now())) > creationMs) await rmdir(guard).catch(() => undefined)
    return
  }
  try {
    if (await isStale(path, clock)) await rm(path, { force: true })
  } finally {
    await rmdir(guard).catch(() => undefined)
  }
}

async function isStale(path: string, clock: Clock): Promise<boolean> {
  const idleForMs = await ageMs(path, clock.now())
  const holder = await holderOf(path)
  if (!holder) return idleForMs > creationMs
  if (holder.host !== hostname()) return idleForMs > staleMs
  // Without process start times, another process may have the same id by now.
  return !(await isAlive(holder)) || (holder.startedAt === null && idleForMs > staleMs)
}

const ageMs = (path: string, now: number): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => now - mtimeMs,
    () => 0,
  )

const holderOf = async (path: string) => parseJson(await readFile(path, 'utf8').catch(() => '')) as Holder | undefined
