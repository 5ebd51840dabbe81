import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../kernel/error.ts'
import { succeeds } from '../../../util/async.ts'
import { parseJson } from '../../../util/json.ts'

/** Identifies a process. Process ids are reused, so the start time is included if the system reports it. */
export type ProcessIdentity = { pid: number; startedAt: string | null; host: string }

const prefix = 'gossamer-browser-'
const ownerFile = 'gossamer-owner.json'

export type ProfileDir = { path: string; remove(): Promise<void> }

export async function makeProfileDir(root = tmpdir()): Promise<ProfileDir> {
  const path = await mkdtemp(join(root, prefix))
  await writeFile(join(path, ownerFile), JSON.stringify(await thisProcess()))
  return { path, remove: () => removeDir(path) }
}

/** Removes folders of dead processes and kills browsers that still use them. Returns the number of removed folders. */
export async function sweepProfileDirs(root = tmpdir()): Promise<number> {
  const names = await readdir(root).catch(() => [])
  const paths = names.filter((name) => name.startsWith(prefix)).map((name) => join(root, name))
  const swept = await Promise.all(paths.map(sweep))
  return swept.filter(Boolean).length
}

async function sweep(path: string): Promise<boolean> {
  const owner = await ownerOf(path)
  if (!owner || owner.host !== hostname() || (await isAlive(owner))) return false
  for (const pid of await processesUsing(path)) kill(pid)
  // Another process may remove it at the same time, and folders of other users cannot be removed.
  return succeeds(removeDir(path))
}

async function removeDir(path: string): Promise<void> {
  // Exiting processes may still be writing.
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

const ownerOf = async (path: string) =>
  parseJson(await readFile(join(path, ownerFile), 'utf8').catch(() => '')) as ProcessIdentity | undefined

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  pid: process.pid,
  startedAt: await startOf(process.pid),
  host: hostname(),
})

export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (thrown) {
    if (errorCode(thrown) === 'ESRCH') return false
  }
  return startedAt === null || startedAt === (await startOf(pid))
}

/** Returns the start time of a process in ticks since boot (proc(5), field 22); null if /proc is missing. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The second field is the name in brackets, which may contain brackets.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function processesUsing(path: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const using = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return line.split('\0').includes(`--user-data-dir=${path}`)
    }),
  )
  return pids.filter((_, at) => using[at]).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has just exited.
  }
}
