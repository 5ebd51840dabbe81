import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { fail, errorCode } from '../../../kernel/error.ts'
import { parseJson } from '../../../util/json.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../launch/profile-dir.ts'
import type { Clock } from '../../../contracts/ports.ts'

type Holder = ProcessIdentity & { since: string; by?: string | undefined; token: string }
export type Lock = Awaited<ReturnType<typeof takeLock>>

const heartbeatMs = 30_000
/** Age in ms of a lock file after which a holder on another machine counts as dead. */
const staleMs = 6 * heartbeatMs
/** Upper bound in ms for writing or checking a lock. */
const creationMs = 10_000

/** Creates the lock file, or takes over that of a dead process. Fails with PROFILE_IN_USE and the holder. */
export async function takeLock(path: string, by: string | undefined, clock: Clock) {
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
export async function liveHolder(path: string, clock: Clock): Promise<{ pid: number; since: string } | undefined> {
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

/** Guarded by a folder, because otherwise a second process could remove the lock just created by the first. */
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
