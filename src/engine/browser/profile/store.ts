import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../contracts/ports.ts'
import { fail, failure } from '../../../kernel/error.ts'
import { createSealer, type Sealer } from './seal.ts'
import type { OriginState, ProfileState } from '../../../contracts/profile-state.ts'
import {
  BrokenProfile,
  exists,
  fileNameOf,
  makeFolder,
  readHead,
  removeTemporary,
  setAside,
  stateIn,
  type StoredProfile,
  writeProfile,
} from './store-file.ts'
import { liveHolder, type Lock, takeLock } from './store-lock.ts'

export type ProfileStoreOptions = {
  /** The data folder; null keeps nothing on disk, so that there are no profiles. */
  dir: string | null
  /** Passphrase; profiles are saved encrypted when there is one. */
  key?: string | undefined
  clock: Clock
}
export type ProfileWish = {
  saveChanges: boolean
  /** What it is used for, such as the id of a job; told to whoever finds it in use. */
  by?: string
}
export type HeldProfile = {
  readonly saveChanges: boolean
  /** Undefined for a profile that is new. */
  readonly state: ProfileState | undefined
  /** Does nothing when it was opened without saveChanges. Fails with PROFILE_IN_USE when another saver took over meanwhile. */
  save(state: ProfileState): Promise<void>
  /** Lets others save. May be called more than once. */
  release(): Promise<void>
}
/** A file that cannot be read is listed by its file name. */
export type ListedProfile = StoredProfile | { name: string; isBroken: true }
export type ShownProfile = StoredProfile & ProfileOutline & { savingNow?: { pid: number; since: string } }

/**
 * Browser storage by team and name. There is one saver of a profile at a time, in all processes of the data folder;
 * readers never wait. All fail with PROFILE_UNREADABLE for a file that is broken or encrypted with another key.
 */
export type ProfileStore = {
  /** Fails with PROFILE_IN_USE when another one saves to it. A broken file is then set aside, and the next open begins anew. */
  open(teamId: string, name: string, wish: ProfileWish): Promise<HeldProfile>
  list(teamId: string): Promise<ListedProfile[]>
  /** What it holds, without any value. Fails with NOT_FOUND. */
  show(teamId: string, name: string): Promise<ShownProfile>
  /** Fails with NOT_FOUND and PROFILE_IN_USE. */
  delete(teamId: string, name: string): Promise<void>
  /** Replaces what the profile held. Fails with PROFILE_IN_USE. */
  import(teamId: string, name: string, state: ProfileState): Promise<void>
  /** Fails with NOT_FOUND. */
  export(teamId: string, name: string): Promise<ProfileState>
}

type Place = { teamId: string; name: string; folder: string; path: string; lock: string }
type Facts = { dir: string; sealer: Sealer | undefined; clock: Clock }

export function createProfileStore({ dir, key, clock }: ProfileStoreOptions): ProfileStore {
  const sealer = key === undefined ? undefined : createSealer(key)
  const facts = (): Facts => (dir === null ? noFolder() : { dir, sealer, clock })
  const placeOf = (teamId: string, name: string): Place => {
    const folder = folderOf(facts().dir, teamId)
    const base = join(folder, fileNameOf(name))
    return { teamId, name, folder, path: `${base}.json`, lock: `${base}.lock` }
  }
  return {
    open: (teamId, name, wish) => open(placeOf(teamId, name), wish, facts()),
    list: (teamId) => list(folderOf(facts().dir, teamId)),
    async show(teamId, name) {
      const place = placeOf(teamId, name)
      const { stored, state } = (await read(place, facts())) ?? notFound()
      const holder = await liveHolder(place.lock, clock)
      return { ...stored, ...outlineOf(state), ...(holder && { savingNow: holder }) }
    },
    delete: (teamId, name) => remove(placeOf(teamId, name), facts()),
    async import(teamId, name, state) {
      const place = placeOf(teamId, name)
      await locked(place, facts(), async () => write(place, state, await createdAt(place, clock), facts()))
    },
    export: async (teamId, name) => ((await read(placeOf(teamId, name), facts())) ?? notFound()).state,
  }
}

const folderOf = (dir: string, teamId: string) => join(dir, 'profiles', fileNameOf(teamId))
const noFolder = () =>
  fail('FEATURE_UNAVAILABLE', {
    message: 'Browser profiles need a data folder, and the dataDir setting says that nothing is kept on disk.',
  })
const notFound = () =>
  fail('NOT_FOUND', {
    message: 'There is no browser profile of that name.',
    hint: 'List the profiles with "gossamer profile list"; a scrape with profile.saveChanges makes one.',
  })

async function open(place: Place, { saveChanges, by }: ProfileWish, facts: Facts): Promise<HeldProfile> {
  if (!saveChanges) {
    const found = await read(place, facts)
    return { saveChanges, state: found?.state, save: async () => {}, release: async () => {} }
  }
  await makeFolder(place.folder)
  const lock = await takeLock(place.lock, by, facts.clock)
  try {
    const found = await read(place, facts, (path) => setAside(path, facts.clock.now()))
    const since = found?.stored.createdAt ?? facts.clock.now()
    return {
      saveChanges,
      state: found?.state,
      save: async (state) => {
        await requireHeld(lock)
        await write(place, state, since, facts)
      },
      release: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function requireHeld(lock: Lock): Promise<void> {
  if (!(await lock.isHeld()))
    fail('PROFILE_IN_USE', { message: 'Another process took this browser profile over while it was in use.' })
}

async function locked<T>(place: Place, { clock }: Facts, work: () => Promise<T>): Promise<T> {
  await makeFolder(place.folder)
  const lock = await takeLock(place.lock, undefined, clock)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

type OnBroken = (path: string) => Promise<string | undefined>
const leave: OnBroken = async () => undefined

async function read({ path, teamId }: Place, { sealer }: Facts, onBroken = leave) {
  try {
    const found = await readHead(path)
    return found && { stored: found.stored, state: await stateIn(found.file, teamId, sealer) }
  } catch (thrown) {
    throw thrown instanceof BrokenProfile ? broken(await onBroken(path), thrown) : thrown
  }
}

const broken = (aside: string | undefined, cause: unknown) =>
  failure('PROFILE_UNREADABLE', {
    message: 'The file of the stored browser profile is broken.',
    ...(aside !== undefined && {
      hint: 'The broken file was set aside under the name in details; the next call begins with an empty profile.',
      details: { setAside: aside },
    }),
    cause,
  })

const write = ({ path, teamId, name }: Place, state: ProfileState, since: number, { sealer, clock }: Facts) =>
  writeProfile(path, { head: { name, createdAt: since, savedAt: clock.now() }, teamId, state }, sealer)

/** A profile that is replaced keeps its date; what cannot be read any more has none. */
async function createdAt({ path }: Place, clock: Clock): Promise<number> {
  const found = await readHead(path).catch(() => undefined)
  return found?.stored.createdAt ?? clock.now()
}

async function remove(place: Place, facts: Facts): Promise<void> {
  if (!(await exists(place.path))) return notFound()
  await locked(place, facts, async () => {
    await removeTemporary(place.path)
    await rm(place.path, { force: true })
  })
}

async function list(folder: string): Promise<ListedProfile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const rows = await Promise.all(
    names.map(async (file): Promise<ListedProfile[]> => {
      try {
        const found = await readHead(join(folder, file))
        return found ? [found.stored] : []
      } catch {
        return [{ name: file, isBroken: true }]
      }
    }),
  )
  return rows.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export type OriginOutline = {
  origin: string
  localStorage: number
  databases: number
  records: number
  files: number
  /** Characters of its JSON. */
  size: number
}
type ProfileOutline = {
  /** How many cookies a domain has. */
  cookies: { domain: string; count: number }[]
  origins: OriginOutline[]
}

/** What a profile holds, counted. */
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
