import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Clock } from '../../../contracts/ports.ts'
import { fail } from '../../../kernel/error.ts'
import { isAlive, type Owner, ownerNow } from '../launch/profile-dir.ts'

type Holder = Owner & { since: string; by?: string | undefined; token: string }
export type Lock = {
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

const beatMs = 30_000
/** A holder of another machine shows that it lives by the time of its file only. */
const silentMs = 6 * beatMs
/** Longer than this nobody takes to write a lock or to look at one. */
const halfMadeMs = 10_000

/**
 * Makes the lock file, or takes over one whose holder has died. Fails with PROFILE_IN_USE, which tells who holds it.
 * `by` says what for.
 */
export async function takeLock(path: string, by: string | undefined, clock: Clock): Promise<Lock> {
  const own: Holder = {
    ...(await ownerNow()),
    since: new Date(clock.now()).toISOString(),
    by,
    token: randomUUID(),
  }
  if (!(await made(path, own))) {
    await clearStale(path, clock)
    if (!(await made(path, own))) refuse(await holderOf(path))
  }
  const beat = () => utimes(path, clock.now() / 1000, clock.now() / 1000).catch(() => undefined)
  await beat()
  const beating = setInterval(() => void beat(), beatMs).unref()
  const isHeld = async () => (await holderOf(path))?.token === own.token
  return {
    isHeld,
    async release() {
      clearInterval(beating)
      if (await isHeld()) await rm(path, { force: true })
    },
  }
}

function refuse(holder: Holder | undefined): never {
  const { pid, since, by } = holder ?? {}
  return fail('PROFILE_IN_USE', { details: { heldBy: { pid, since, ...(by !== undefined && { for: by }) } } })
}

/** Who holds the lock; undefined when nobody does, or does no more. */
export async function liveHolder(path: string, clock: Clock): Promise<{ pid: number; since: string } | undefined> {
  const holder = await holderOf(path)
  return holder && !(await isStale(path, clock)) ? { pid: holder.pid, since: holder.since } : undefined
}

async function made(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw thrown
  }
}

/** Only one at a time looks and clears, or a second one would clear the lock that the first has made since. */
async function clearStale(path: string, clock: Clock): Promise<void> {
  const guard = `${path}.clearing`
  try {
    await mkdir(guard)
  } catch {
    if ((await ageMs(guard, Date.now())) > halfMadeMs) await rmdir(guard).catch(() => undefined)
    return
  }
  try {
    if (await isStale(path, clock)) await rm(path, { force: true })
  } finally {
    await rmdir(guard).catch(() => undefined)
  }
}

async function isStale(path: string, clock: Clock): Promise<boolean> {
  const silentForMs = await ageMs(path, clock.now())
  const holder = await holderOf(path)
  if (!holder) return silentForMs > halfMadeMs
  if (holder.host !== hostname()) return silentForMs > silentMs
  // Where the system tells no start times, another process may have got the id.
  return !(await isAlive(holder)) || (holder.startedAt === null && silentForMs > silentMs)
}

const ageMs = (path: string, now: number): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => now - mtimeMs,
    () => 0,
  )

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}
