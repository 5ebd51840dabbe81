import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './server-process.ts'

export type Contestant = Command & { name: string; version: string }

type Peer = { name: string; bin: string; args?: readonly string[]; env?: Readonly<Record<string, string>> }

export const ours = 'gossamer-mcp'
export const baseline = 'firecrawl-mcp'

const benchDir = join(import.meta.dirname, '..')
export const ourFile = fileURLToPath(new URL('../../bin/gossamer.cjs', import.meta.url))

/** All start without network access; telemetry is off. */
const peers: readonly Peer[] = [
  { name: baseline, bin: 'dist/index.js', env: { FIRECRAWL_API_KEY: 'fc-dummy' } },
  { name: '@playwright/mcp', bin: 'cli.js' },
  {
    name: 'chrome-devtools-mcp',
    bin: 'build/src/bin/chrome-devtools-mcp.js',
    args: ['--no-usage-statistics'],
    env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
  },
]

/** All get the same minimal environment, with home and temporary files in `workDir`. */
export function contestants(file: string, workDir: string): Contestant[] {
  return [ourServer(file, workDir), ...peers.map((peer) => installed(peer, workDir))]
}

/** Fails if the program has not been built. */
export function ourServer(file: string, workDir: string, env: Readonly<Record<string, string>> = {}): Contestant {
  if (!existsSync(file)) throw new Error(`${file} does not exist. Run "npm run build" in the root of the repository.`)
  const { version } = manifest(join(benchDir, '..'))
  const dataDir = join(workDir, 'data')
  return {
    name: ours,
    version,
    file,
    args: [],
    env: { ...bareEnv(workDir), GOSSAMER_DATA_DIR: dataDir, ...env },
    cwd: workDir,
  }
}

function installed({ name, bin, args = [], env = {} }: Peer, workDir: string): Contestant {
  const dir = join(benchDir, 'node_modules', name)
  const { version } = manifest(dir)
  return { name, version, file: join(dir, bin), args, env: { ...bareEnv(workDir), ...env }, cwd: workDir }
}

const manifest = (dir: string) => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string }

const bareEnv = (workDir: string) => ({ PATH: process.env['PATH'] ?? '', HOME: workDir, TMPDIR: workDir })
