import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe } from 'vitest'
import { freePort } from './listen.ts'

/** Folder of the programs on Debian, which are not on the PATH; the newest version comes first. */
const debian = '/usr/lib/postgresql'
const folder = (existsSync(debian) ? readdirSync(debian) : [])
  .toSorted((one, other) => Number(other) - Number(one))
  .map((version) => join(debian, version, 'bin'))
  .find((place) => existsSync(join(place, 'initdb')))

/** The server refuses to run as root, so tests run as root start it as the user that Debian creates for it. */
type User = { uid: number; gid: number }
const user: User | 'this one' | undefined = process.getuid?.() === 0 ? userNamed('postgres') : 'this one'

function userNamed(name: string): User | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined
}

/** Reason to skip tests that need PostgreSQL; undefined if it can be started. */
export const noPostgres =
  folder === undefined || user === undefined
    ? 'PostgreSQL is not installed (on Debian: apt-get install postgresql)'
    : undefined

/** A group of tests that need PostgreSQL; its name has the reason if they are skipped. */
export const describePostgres = (name: string, tests: () => void) =>
  describe.skipIf(noPostgres !== undefined)(`${name}${noPostgres ? `: ${noPostgres}` : ''}`, tests)

export type Postgres = { url: string; stop(): Promise<void>; start(): Promise<void>; close(): Promise<void> }

/** A server on a free port with an empty database. `stop` does not wait for connections, as if the machine died. */
export async function startPostgres(): Promise<Postgres> {
  if (folder === undefined || user === undefined) throw new Error(noPostgres)
  const dir = await ownDir('gossamer-postgres-')
  const data = join(dir, 'data')
  run('cp', ['-a', await initialised(folder), data], dir)
  const port = await freePort()
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off`
  const control = (...args: string[]) => run(join(folder, 'pg_ctl'), ['-D', data, '-w', ...args], dir)
  const start = async () => control('-t', '60', '-l', join(dir, 'log'), '-o', options, 'start')
  const stop = async () => control('-m', 'immediate', 'stop')
  await start()
  return {
    url: `postgres://gossamer@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async close() {
      await stop().catch(() => {})
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Creates a folder that belongs to the server's user. */
async function ownDir(prefix: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), prefix))
  if (typeof user === 'object') await chown(dir, user.uid, user.gid)
  return dir
}

function run(program: string, args: string[], cwd: string): void {
  const as = typeof user === 'object' ? user : {}
  const done = spawnSync(program, args, { ...as, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  if (done.status !== 0) throw new Error(`${basename(program)} failed: ${String(done.error ?? done.stderr)}`)
}

/** Returns the data folder of an unused server, cached between runs because copying it is faster than initialising. */
async function initialised(programs: string): Promise<string> {
  const kept = join(tmpdir(), `gossamer-test-postgres-${basename(dirname(programs))}-${process.getuid?.() ?? ''}`)
  if (existsSync(kept)) return kept
  const made = await ownDir('gossamer-postgres-made-')
  const options = ['-U', 'gossamer', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  run(join(programs, 'initdb'), ['-D', made, ...options], made)
  // Another process may have created it first.
  await rename(made, kept).catch(() => rm(made, { recursive: true, force: true }))
  return kept
}
