import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { portabilityFaults } from '../../src/surfaces/mcp/tool-schema.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { stdioClient } from '../helpers/mcp-client.ts'
import { bin, cleanEnv } from '../helpers/program.ts'

const run = promisify(execFile)
const folder = folderForAll()
const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_SEARCH_PROVIDERS: 'local', GOSSAMER_MAX_SESSIONS: '1' }

const connect = async (more: Record<string, string> = {}, flags: string[] = []) =>
  (await stdioClient({ ...env, ...more }, [bin, ...flags])).sdk

const client = forAll(connect)

it('the tool list passes the strict check of the inspector', async () => {
  const inspector = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')
  const args = ['--cli', process.execPath, bin, '--method', 'tools/list', '--strict']
  const { stdout, stderr } = await run(inspector, args, {
    env: cleanEnv({ ...env, MCP_INSPECTOR_SECRET_STORE: 'memory' }),
  })
  expect(stdout).toContain('"scrape"')
  expect(`${stdout}${stderr}`).not.toMatch(/\b[1-9]\d* (?:error|warning)/i)
})

it('the tool list has schemas that every client can read', async () => {
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools) expect(portabilityFaults(inputSchema), name).toEqual([])
})

it('the tool list is the same each time, within 28,000 bytes, 10,000 for the core', async () => {
  const listed = await client.listTools()
  const first = JSON.stringify(listed)
  await client.callTool({ name: 'activity', arguments: {} })
  const other = await connect()
  expect(JSON.stringify(await other.listTools())).toBe(first)
  await other.close()
  expect(Buffer.byteLength(first)).toBeLessThanOrEqual(28_000)
  const core = await connect({ GOSSAMER_TOOLS: 'core' })
  expect(Buffer.byteLength(JSON.stringify(await core.listTools()))).toBeLessThanOrEqual(10_000)
  await core.close()
})

it.each<[string, Record<string, string>, string[]]>([
  ['the setting', { GOSSAMER_TOOLS: 'core' }, []],
  ['the flag', {}, ['--tools', 'core']],
])('the tool list contains only the tools chosen by %s', async (_, more, flags) => {
  const other = await connect(more, flags)
  const { tools } = await other.listTools()
  const names = ['interact', 'map', 'scrape', 'scrape_result', 'search', 'browser_close']
  expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  await expect(other.callTool({ name: 'activity', arguments: {} })).rejects.toThrow(/Unknown tool: activity/)
  expect(other.getInstructions()).toContain('scrape: you know the URL')
  expect(other.getInstructions()).not.toMatch(/\b(?:activity|browser_create|crawl)\b/)
  await other.close()
})

it('the server refuses to start with an unknown tool', async () => {
  const started = run(process.execPath, [bin], { env: cleanEnv({ ...env, GOSSAMER_TOOLS: 'scrape,serach' }) })
  await expect(started).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--tools (GOSSAMER_TOOLS): There is no tool serach to offer. Did you mean search?'),
  })
})
