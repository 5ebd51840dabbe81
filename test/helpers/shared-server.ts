import { spawn } from 'node:child_process'
import { type Program, startServer, tempDir } from './program.ts'

export type SharedServer = { url: string; dataDir: string; stderr(): string }

/** Settings for most tests: sites on loopback, and code execution on machines without a strong sandbox. */
export const usualEnv = {
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_PERMISSIONS: 'zeroDataRetention',
  GOSSAMER_SEARCH_PROVIDERS: 'local',
  GOSSAMER_UNSANDBOXED_CODE: 'always',
} as const

const started = new Map<string, Promise<SharedServer>>()

/**
 * Returns one server for all files of this worker process that use the same settings. Files see the data of each other,
 * so each must use pages of its own site and not rely on totals.
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

/** Shell script that ends a process when its input closes: with SIGTERM, and after ten seconds with SIGKILL. */
const whenPipeCloses = `cat >/dev/null; kill -TERM "$1"
for each in $(seq 100); do kill -0 "$1" || break; sleep 0.1; done; kill -KILL "$1"; rm -rf "$2"`

/**
 * Ends a program and removes its folder when this process ends, however that happens: the pipe to a watching shell
 * closes then. Does not keep this process alive.
 */
export function endWithThisProcess({ child }: Program, folder: string): void {
  const args = ['-c', whenPipeCloses, 'sh', String(child.pid), folder]
  const watcher = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  for (const each of [watcher, watcher.stdin, child, child.stdin, child.stdout, child.stderr])
    (each as unknown as { unref(): void }).unref()
}
