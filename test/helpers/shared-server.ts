import { spawn } from 'node:child_process'
import { type Program, startServer, tempDir } from './program.ts'

export type SharedServer = { url: string; dataDir: string; stderr(): string }

/** What suits most tests: sites on loopback, and code to be run where this machine has no strong sandbox. */
export const usualEnv = {
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_PERMISSIONS: 'zeroDataRetention',
  GOSSAMER_SEARCH_PROVIDERS: 'local',
  GOSSAMER_UNSANDBOXED_CODE: 'always',
} as const

const started = new Map<string, Promise<SharedServer>>()

/**
 * A server for all files of this worker process that ask for the same settings. Each of them finds what others have read
 * and run there, so that it asks for pages of a site of its own, and for nothing that counts all that there is.
 */
export function sharedServer(env: Readonly<Record<string, string>> = usualEnv): Promise<SharedServer> {
  const key = JSON.stringify(env)
  const server = started.get(key) ?? start(env)
  started.set(key, server)
  return server
}

async function start(env: Readonly<Record<string, string>>): Promise<SharedServer> {
  const { path: dataDir } = tempDir()
  const { url, program } = await startServer({ ...env, GOSSAMER_DATA_DIR: dataDir })
  endWithThisProcess(program, dataDir)
  return { url, dataDir, stderr: program.stderr }
}

/** A signal to one process is enough; what does not heed it for ten seconds is killed. */
const whenPipeCloses = `cat >/dev/null; kill -TERM "$1"
for each in $(seq 100); do kill -0 "$1" || break; sleep 0.1; done; kill -KILL "$1"; rm -rf "$2"`

/**
 * Has a program that many files use end with this process, and its folder removed: the pipe to a shell beside them closes
 * then, however this process ends. It keeps no process waiting that is done.
 */
export function endWithThisProcess({ child }: Program, folder: string): void {
  const args = ['-c', whenPipeCloses, 'sh', String(child.pid), folder]
  const watcher = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  for (const each of [watcher, watcher.stdin, child, child.stdin, child.stdout, child.stderr])
    (each as unknown as { unref(): void }).unref()
}
