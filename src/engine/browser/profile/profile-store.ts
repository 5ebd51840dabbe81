import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, failure } from '../../../kernel/error.ts'
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
import { liveHolder, type Lock, takeLock } from './store-lock.ts'
import type { Clock } from '../../../contracts/ports.ts'

export type ProfileStoreOptions = {
  /** Data folder; null stores nothing on disk, so there are no profiles. */
  dir: string | null
  /** Passphrase for encrypting profiles; without it they are saved as plain text. */
  key?: string | undefined
  clock: Clock
}
export type OpenProfileOptions = {
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
export type ShownProfile = StoredProfile & ProfileOutline & { savingNow?: { pid: number; since: string } }

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
    /** Opens a profile. saveChanges fails with PROFILE_IN_USE if it is locked, and renames a broken file. */
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
      hint: 'The damaged file was renamed as named in details; the next call starts with an empty profile.',
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

export type OriginOutline = {
  origin: string
  localStorage: number
  databases: number
  records: number
  files: number
  /** Characters of JSON. */
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
