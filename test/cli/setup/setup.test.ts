import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { bin, cleanEnv, tempDir } from '../../helpers/program.ts'
import { hasTerminal, runOnTerminal } from '../../helpers/pseudo-terminal.ts'
import { planSetup, replaceConfigFile } from '../../../src/cli/commands/first-steps/setup-command.ts'
import { clientOf } from '../../../src/cli/setup/clients.ts'

const run = promisify(execFile)

/** A home with a config of Cursor, and the program in it. */
function setting(config?: string) {
  const folder = tempDir()
  onTestFinished(folder.remove)
  const home = folder.path
  const file = join(home, '.cursor/mcp.json')
  mkdirSync(dirname(file))
  if (config !== undefined) writeFileSync(file, config, { mode: 0o640 })
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '' }
  const setup = (...args: string[]) => setupBy(bin, ...args)
  const setupBy = async (program: string, ...args: string[]) => {
    const started = run(process.execPath, [program, 'setup', ...args], { env: cleanEnv(env) })
    started.child.stdin?.end()
    const ended = await started.catch((error: unknown) => error as { code: number; stdout: string; stderr: string })
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr }
  }
  return {
    home,
    file,
    env,
    setup,
    setupBy,
    text: () => readFileSync(file, 'utf8'),
    files: () => readdirSync(dirname(file)),
  }
}

const mine =
  '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x", "env": { "KEY": "secret" } }\n  },\n  "a": 1, "b": 2,\n\n\n\n  "secret": "far away"\n}\n'

test('an entry is shown, written with a backup, starts the server, and is removed again', async () => {
  const { file, setup, text, files } = setting(mine)
  const { code, out, err } = await setup('cursor', '--yes', '--allow-hosts', 'localhost:3000')
  expect({ code, ...(JSON.parse(out) as object) }).toEqual({ code: 0, client: 'cursor', file, done: 'written' })
  expect(err).toMatch(/^\+ {4}"gossamer": \{$/m)
  expect(err).not.toContain('far away')
  expect(text()).toContain('// mine')
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(readFileSync(`${file}.before-gossamer`, 'utf8')).toBe(mine)

  const written = JSON.parse(text().replace('// mine', '')) as {
    mcpServers: { gossamer: { command: string; args: string[]; env: Record<string, string> } }
  }
  const { env, ...launch } = written.mcpServers.gossamer
  expect(env).toEqual({ GOSSAMER_ALLOW_HOSTS: 'localhost:3000' })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ ...launch, env: cleanEnv(env) }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('scrape')
  await client.close()

  expect(JSON.parse((await setup('cursor', '--yes', '--allow-hosts', 'localhost:3000')).out)).toMatchObject({
    done: 'nothing',
  })
  expect((await setup('cursor', '--yes')).code).toBe(0)
  expect(JSON.parse((await setup('cursor', '--undo', '--yes')).out)).toMatchObject({ done: 'removed' })
  expect(text()).toBe(mine)
  expect(files()).toEqual(['mcp.json'])
})

test('a file created by setup is removed by undo, even after two setups', async () => {
  const { file, setup, files } = setting()
  await setup('cursor', '--yes')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await setup('cursor', '--yes', '--tools', 'core')
  await setup('cursor', '--undo', '--yes')
  expect(files()).toEqual([])
})

test('changes made after the setup stay when it is undone, and the previous entry is restored', async () => {
  const { file, setup, text, files } = setting('{"mcpServers":{"gossamer":{"command":"own"}}}')
  await setup('cursor', '--yes')
  writeFileSync(file, text().replace('{"mcpServers"', '{"later":1,"mcpServers"'))
  await setup('cursor', '--undo', '--yes')
  expect(JSON.parse(text())).toEqual({ later: 1, mcpServers: { gossamer: { command: 'own' } } })
  expect(files()).toEqual(['mcp.json'])
})

test('without confirmation, or with a broken file, nothing is written', async () => {
  const { file, setup, text, files } = setting('{\n  "mcpServers": {,}\n}')
  const refused = await setup('cursor', '--yes')
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain(`${file}:2:18: `)
  writeFileSync(file, mine)
  expect(await setup('cursor')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
  expect(text()).toBe(mine)
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0x7b, 0x00]))
  expect((await setup('cursor', '--yes')).err).toContain('not UTF-8')
  expect(files()).toEqual(['mcp.json'])
})

test('a link stays a link, and its target is written', async () => {
  const { home, file, setup } = setting()
  const target = join(home, 'dotfiles.json')
  symlinkSync('../dotfiles.json', file)
  await setup('cursor', '--yes')
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(readFileSync(target, 'utf8')).toContain('gossamer')
  await setup('cursor', '--undo', '--yes')
  expect(existsSync(target)).toBe(false)
})

test('npx in a checkout, which links it into its cache, writes the path of the checkout', async () => {
  const { home, setupBy, text } = setting()
  const cached = join(home, '_npx/1/node_modules/gossamer-mcp')
  mkdirSync(dirname(cached), { recursive: true })
  symlinkSync(dirname(dirname(bin)), cached)
  await setupBy(join(cached, 'bin/gossamer.cjs'), 'cursor', '--yes')
  expect(JSON.parse(text())).toMatchObject({ mcpServers: { gossamer: { command: process.execPath, args: [bin] } } })
})

test('concurrent changes by a client are not lost', async () => {
  const { file, text, files } = setting(mine)
  const plan = await planSetup(clientOf('cursor'), file, { command: 'node', args: [] })
  writeFileSync(file, '{"newer": true}')
  await expect(replaceConfigFile(plan.file, plan.text)).rejects.toThrow(/changed by another program/)
  expect(text()).toBe('{"newer": true}')
  expect(files()).toEqual(['mcp.json'])
})

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a folder that is not writable is reported',
  async () => {
    const { file, setup, text } = setting(mine)
    chmodSync(dirname(file), 0o500)
    onTestFinished(() => chmodSync(dirname(file), 0o700))
    expect((await setup('cursor', '--yes')).err).toMatch(/cannot be written: EACCES/)
    expect(text()).toBe(mine)
  },
)

test('all clients are listed with the state of their files', async () => {
  const { home, setup } = setting('{')
  mkdirSync(join(home, '.codex'))
  await setup('codex', '--yes')
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toContain('[mcp_servers.gossamer]')
  const rows = JSON.parse((await setup()).out) as { client: string; state: string }[]
  const states = Object.fromEntries(rows.map(({ client, state }) => [client, state]))
  expect(states).toMatchObject({ codex: 'set up', cursor: 'broken', zed: 'no file' })
})

test.runIf(hasTerminal)('a person is asked for confirmation', async () => {
  const { env, text } = setting(mine)
  const output = await runOnTerminal(['setup', 'cursor'], env, '\n')
  expect(output.text).toContain('Apply this change? [y/N]')
  expect(text()).toBe(mine)
  expect((await runOnTerminal(['setup', 'cursor'], env, 'y\n')).code).toBe(0)
  expect(text()).toContain('gossamer')
  expect((await runOnTerminal(['setup'], env)).text).toMatch(/cursor.*set up/)
})
