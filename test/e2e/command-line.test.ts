import { execFile, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings } from '../../src/app/config.ts'
import { version } from '../../src/version.ts'
import { send } from '../helpers/api.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { bin, cleanEnv, runProgram, startProgram, startServer } from '../helpers/program.ts'

const folder = folderForAll()
const site = siteForAll()
const env = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }

it('scrapes one page to JSON when piped', async () => {
  const { code, stdout } = await runProgram(['scrape', site.url('/article'), '--formats', 'markdown,links'], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    data: { markdown: expect.stringContaining('#'), links: expect.any(Array), metadata: { statusCode: 200 } },
  })
})

it('scrapes one page to markdown when piped, or to a new file', async () => {
  const piped = await runProgram(['scrape', site.url('/article')], env)
  expect(piped.stdout).toMatch(/^# [^{]*\n$/m)
  const file = join(folder.path, 'page.md')
  const args = ['scrape', site.url('/article'), '--out', file]
  expect(await runProgram(args, env)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(file) })
  expect(readFileSync(file, 'utf8')).toBe(piped.stdout)
  expect(await runProgram(args, env)).toMatchObject({ code: 2, stderr: expect.stringContaining('it exists already') })
  const failed = await runProgram(['scrape', 'http://10.0.0.1/'], env)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr.match(/SCRAPE_ADDRESS_REFUSED/g)).toHaveLength(1)
})

it('prints the warning and the error status of a page to stderr if its markdown is piped', async () => {
  const empty = await runProgram(['scrape', site.url('/empty')], env)
  expect(empty.stdout).toBe('\n')
  expect(empty.stderr).toMatch(/^Warning: The page has no readable text/)
  const missing = await runProgram(['scrape', site.url('/no-such-page')], env)
  expect(missing.stderr).toContain('The site answered 404: Not Found')
})

it('calls any operation with a JSON input', async () => {
  const { code, stdout } = await runProgram(['call', 'activity', '{"limit":1}'], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ data: expect.any(Array), has_more: expect.any(Boolean) })
})

it('prints the error body of a failed call, and exits with code 1', async () => {
  const { code, stdout } = await runProgram(['scrape', 'http://10.0.0.1/', '--json'], env)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    success: false,
    code: 'SCRAPE_ADDRESS_REFUSED',
    hint: expect.stringContaining('GOSSAMER_ALLOW_HOSTS'),
  })
})

it('always exits with code 1 for a site that cannot be crawled', async () => {
  const open = { ...env, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
  for (let run = 0; run < 3; run += 1) expect((await runProgram(['crawl', 'http://127.0.0.1:9/'], open)).code).toBe(1)
})

it('prints its version and every setting', async () => {
  expect((await runProgram(['--version'])).stdout).toBe(`${version}\n`)
  const { stdout } = await runProgram(['help', 'settings'])
  for (const key of Object.keys(settings))
    expect(stdout).toContain(`--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `)
})

const wrong: [string, string[], RegExp][] = [
  ['an unknown command', ['fetch'], /There is no command fetch/],
  ['an unknown flag', ['--prot', '1'], /--prot/],
  ['a missing URL', ['scrape'], /usage: gossamer scrape/],
  [
    'a faulty setting',
    ['tools', '--port', 'x', '--max-concurrency', '0'],
    /--port \(GOSSAMER_PORT\).*--max-concurrency \(GOSSAMER_MAX_CONCURRENCY\)/s,
  ],
]
it.each(wrong)('refuses %s with exit code 2 and a correction', async (_, args, text) => {
  const { code, stderr, stdout } = await runProgram(args, env)
  expect(stderr).toMatch(text)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

describe('doctor', () => {
  it('finds no problem on a usable machine', async () => {
    const { code, stdout } = await runProgram(['doctor'], env)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ topic: 'Data folder', state: 'ok' })]),
    })
  })

  it('gives a hint for an unusable data folder', async () => {
    const file = join(folder.path, 'a-file')
    writeFileSync(file, '')
    const { code, stdout } = await runProgram(['doctor'], { ...env, GOSSAMER_DATA_DIR: join(file, 'data') })
    expect(code).toBe(1)
    expect(stdout).toContain('GOSSAMER_DATA_DIR')
  })
})

it('starts with a new database if the file was not a database, without a problem in doctor', async () => {
  const dir = join(folder.path, 'foreign')
  mkdirSync(dir)
  writeFileSync(join(dir, 'gossamer.db'), 'These are no pages of SQLite. '.repeat(200))
  const server = await startServer({ ...env, GOSSAMER_DATA_DIR: dir })
  expect(await (await send(`${server.url}/health`)).json()).toMatchObject({ status: 'ok' })
  await server.stop()
  expect(server.program.stderr()).not.toContain('unusable')
})

const keyEnv = () => ({ ...env, GOSSAMER_DATA_DIR: join(folder.path, 'keys') })

it('keys are required once one exists, and give access to the data of their team', async () => {
  const made = await runProgram(['keys', 'add', 'alice', '--json'], keyEnv())
  const { key } = JSON.parse(made.stdout) as { key: string }
  const bob = (await runProgram(['keys', 'add', 'bob'], keyEnv())).stdout.trim()
  const server = await startServer(keyEnv())
  const activity = (by = '') => send(`${server.url}/v2/team/activity`, { key: by })
  await send(`${server.url}/v2/scrape`, { key, body: { url: site.url('/docs') } })
  expect((await activity()).status).toBe(401)
  expect((await activity('wrong')).status).toBe(401)
  expect(await (await activity(key)).json()).toMatchObject({ data: [{ target: site.url('/docs') }] })
  expect(await (await activity(bob)).json()).toMatchObject({ data: [] })
  await runProgram(['keys', 'revoke', 'alice'], keyEnv())
  expect((await activity(key)).status).toBe(401)
  await server.stop()
})

describe('output', () => {
  it('is complete through a slow pipe', async () => {
    const program = startProgram(['scrape', site.url('/huge/2'), '--formats', 'rawHtml'], env)
    program.child.stdout.pause()
    setTimeout(() => program.child.stdout.resume(), 300)
    expect(await program.exited).toMatchObject({ code: 0 })
    expect(JSON.parse(program.stdout())).toHaveProperty('data.rawHtml', expect.stringMatching(/^[\s\S]{1000000,}$/))
  })

  it('that cannot be written exits with an error', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [bin, 'tools'], { env: cleanEnv(env), stdio: ['ignore', full, 'ignore'] })
    const code = await new Promise((resolve) => {
      child.on('exit', resolve)
    })
    closeSync(full)
    expect(code).toBe(1)
  })
})

it('refuses calls without a key if a proxy may forward them from elsewhere', async () => {
  const { code, stderr } = await runProgram(['serve', '--trust-proxy', '--port', '0'], {
    ...env,
    GOSSAMER_DATA_DIR: join(folder.path, 'proxied'),
  })
  expect(code).toBe(2)
  expect(stderr).toContain('gossamer keys add')
})

it('refuses calls without a key if the key file was lost', async () => {
  const dir = join(folder.path, 'lost')
  await runProgram(['keys', 'add', 'alice'], { ...env, GOSSAMER_DATA_DIR: dir })
  writeFileSync(join(dir, 'gossamer.db'), 'no database'.repeat(1000))
  const server = await startServer({ ...env, GOSSAMER_DATA_DIR: dir })
  expect((await fetch(`${server.url}/v2/team/activity`)).status).toBe(401)
  await server.program.waitForStderr(/every call needs a key from GOSSAMER_API_KEYS/)
  await server.stop()
})

it('refuses to serve other machines without a key', async () => {
  const { code, stderr } = await runProgram(['serve', '--host', '0.0.0.0', '--port', '0'], {
    ...env,
    GOSSAMER_DATA_DIR: join(folder.path, 'open'),
  })
  expect(code).toBe(2)
  expect(stderr).toContain('gossamer keys add')
})

it('reports the port that is in use', async () => {
  const server = await startServer(env)
  const { code, stderr } = await runProgram(['serve', '--port', new URL(server.url).port], env)
  expect(code).toBe(2)
  expect(stderr).toContain('another program has the port')
  await server.stop()
})

it('reports the required version on an old Node, in syntax that it can parse', async () => {
  // The launcher reads an injected version, because no old Node is available here.
  const shim = join(folder.path, 'old.cjs')
  mkdirSync(folder.path, { recursive: true })
  writeFileSync(shim, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })\n")
  const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--require', shim, bin], (error, _, text) =>
      resolve({ code: Number(error?.code ?? 0), stderr: text }),
    )
  })
  expect(code).toBe(1)
  expect(stderr).toContain('needs Node 22')
})

async function startedWith(more: Record<string, string>) {
  const { program, stop } = await startServer({ ...env, ...more })
  const of = (file: string) => readFileSync(`/proc/${program.child.pid}/${file}`, 'utf8').split('\0')
  const [flags, given] = [of('cmdline').slice(1), of('environ')]
  await stop()
  return { flags, arenas: given.find((each) => each.startsWith('MALLOC_ARENA_MAX=')) }
}

describe.skipIf(process.platform !== 'linux')('a server limits its free memory', () => {
  it('by default', async () => {
    const { flags, arenas } = await startedWith({})
    expect(flags[0]).toBe('--max-semi-space-size=4')
    expect(arenas).toBe('MALLOC_ARENA_MAX=2')
  })

  it('unless the setting has another number', async () => {
    const variables = { NODE_OPTIONS: '--max-semi-space-size=16', MALLOC_ARENA_MAX: '8' }
    const { flags, arenas } = await startedWith(variables)
    expect(flags[0]).toBe(bin)
    expect(arenas).toBe('MALLOC_ARENA_MAX=8')
  })
})
