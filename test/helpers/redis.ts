import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const program = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)

/** Why tests that need Redis are left out here; undefined where it can be started. */
export const noRedis =
  program === undefined ? 'neither Redis nor Valkey is installed (on Debian: apt-get install redis-server)' : undefined

/** `freeze` leaves it there without an answer, as a machine that hangs; `kill` ends it with what it knew. */
export type Redis = {
  url: string
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** A server of its own on a free port, which writes nothing down. */
export async function startRedis(): Promise<Redis> {
  if (program === undefined) throw new Error(noRedis)
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    child = spawn(program, args, { stdio: 'ignore' })
    while (!(await answers(port))) await sleep(20)
  }
  const kill = async () => {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}/0`,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    kill,
    start,
    async close() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
  })
  return promise
}
