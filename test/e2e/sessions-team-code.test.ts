import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../helpers/api.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { httpClient } from '../helpers/mcp-client.ts'
import { bin, cleanEnv } from '../helpers/program.ts'
import { openStoreIn } from '../store/programs/open-here.ts'

/** Hides bubblewrap from one program by a private mount over its file. */
const [program = '', ...wrapped] = ['unshare', '--mount', '--user', '--map-root-user', 'sh', '-c']
const covered = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'].filter((path) => existsSync(path))
const script = [...covered.map((path) => `mount --bind /dev/null ${path}`), 'exec "$@"'].join(' && ')
const canCover = spawnSync(program, [...wrapped, script, 'sh', 'true']).status === 0

const folder = folderForAll()
let child: ChildProcess
let url: string
beforeAll(async () => {
  if (!canCover) return
  const { store } = await openStoreIn(folder.path)
  await store.teams.add('kept', { unsandboxedCode: false })
  await store.close()
  const env = cleanEnv({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_API_KEYS: 'kept:key-of-kept,free:key-of-free',
    GOSSAMER_UNSANDBOXED_CODE: 'always',
  })
  child = spawn(program, [...wrapped, script, 'sh', process.execPath, bin, 'serve', '--port', '0'], { env })
  url = await new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (text: Buffer) => {
      output += text.toString()
      const found = /listens on (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(output)))
  })
})
afterAll(async () => {
  if (canCover) {
    const ended = new Promise((resolve) => void child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
})

type Call = (team: string, tool: string, input: Record<string, unknown>) => Promise<string>

const overRest: Call = async (team, tool, { sessionId, ...body }) => {
  const path = tool === 'browser_create' ? '/v2/browser' : `/v2/browser/${String(sessionId)}/execute`
  return (await send(url + path, { body, key: `key-of-${team}` })).text()
}

const overMcp: Call = async (team, tool, input) => {
  const client = await httpClient(`${url}/mcp`, `key-of-${team}`)
  const result = await client.call(tool, input)
  await client.close()
  return JSON.stringify(result)
}

describe.runIf(canCover).each([
  ['REST', overRest],
  ['MCP', overMcp],
])('over %s, code without a sandbox', { timeout: 120_000 }, (_, call) => {
  const run = async (team: string) => {
    const opened = await call(team, 'browser_create', { ttl: 60 })
    const sessionId = /"(?:id|sessionId)":\s*"([^"]+)"/.exec(opened.replaceAll('\\', ''))?.[1]
    expect(sessionId, opened).toBeDefined()
    return call(team, 'browser_execute', { sessionId, language: 'bash', code: 'echo it ran' })
  }

  it('runs for a team without a rule, but not for a team whose rule denies it', async () => {
    expect(await run('free')).toContain('it ran')
    const refused = await run('kept')
    expect(refused).toContain('SANDBOX_UNAVAILABLE')
    expect(refused).not.toContain('it ran')
  })
})
