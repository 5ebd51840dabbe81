import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { drawn } from '../attack/hostile.ts'
import { type Program, runProgram, startProgram, tempDir } from '../helpers/program.ts'

const clientInfo = { name: 'test', version: '1' }
const apps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const about = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})
const listMethods = ['tools/list', 'prompts/list', 'resources/templates/list']

type Message = Record<string, unknown>
const initialize = (protocolVersion: unknown, capabilities: unknown = {}, client: unknown = clientInfo): Message => ({
  id: 'begin',
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: client },
})
const initialized = { method: 'notifications/initialized' }
const session = (...messages: (Message | string)[]) => [initialize('2025-11-25'), initialized, ...messages]
const lists = (params?: object) => listMethods.map((method, id) => ({ id, method, ...(params && { params }) }))
const ping = { id: 90, method: 'ping' }
/** A request that only the whole program answers. */
const later = { id: 91, method: 'no/such' }

/** First messages of a client. */
const beginnings: Record<string, readonly (Message | string)[]> = {
  ...Object.fromEntries(
    ['2025-11-25', '1999-01-01', 7].map((version) => [
      `a session of ${version}`,
      [initialize(version), initialized, ...lists(), ping],
    ]),
  ),
  'a session whose client knows Apps': [initialize('2025-11-25', apps), initialized, ...lists(), ping, later],
  'a session whose client knows tasks': [
    initialize('2025-11-25', { tasks: { list: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }),
    initialized,
    ...lists(),
  ],
  'a client without a session, which describes itself in each request': [
    { id: 1, method: 'server/discover' },
    ...lists(),
  ].map((message) => ({
    ...message,
    params: { _meta: about({}) },
  })),
  'a client without a session, of an unknown version': [
    {
      id: 1,
      method: 'tools/list',
      params: { _meta: { ...about({}), 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    },
  ],
  'a list without initialize': lists(),
  'initialize twice': [initialize('2025-11-25'), { ...initialize('2025-06-18'), id: 2 }, initialized, ...lists()],
  'capabilities of a wrong type': [initialize('2025-11-25', []), initialize('2025-11-25', { roots: 4 }), ...lists()],
  'wrong ids': session(
    { ...ping, id: null },
    { ...ping, id: 1.5 },
    { ...ping, id: 'x'.repeat(300) },
    { ...ping, id: {} },
  ),
  'invalid JSON': session('{', '[]', 'null', '', ping),
  'additional fields, and another JSON-RPC version': session({ ...ping, more: 1 }, { ...ping, jsonrpc: '1.0' }),
  'methods named like members of every object': session(
    { id: 1, method: 'constructor' },
    { id: 2, method: '__proto__' },
  ),
  nothing: [],
}

const written = (messages: readonly (Message | string)[]) =>
  messages
    .map((message) => `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('')

const answers = (stdout: string) => stdout.split('\n').filter(Boolean).toSorted()

describe('the first messages of a client', () => {
  // Each case starts two programs, so a normal run draws half of the cases.
  it.for(drawn(Object.entries(beginnings)))('are answered as by the whole program: %s', async ([, messages]) => {
    const input = written(messages)
    const [own, whole] = await Promise.all([runProgram([], {}, input), runProgram(['--log-level', 'error'], {}, input)])
    expect(answers(own.stdout)).toEqual(answers(whole.stdout))
    expect(own).toMatchObject({ code: whole.code, stderr: '' })
    if (messages.length > 0) expect(own.stdout).toContain('"jsonrpc"')
  })

  it('may be split anywhere, even within a character', async () => {
    const input = Buffer.from(
      written([initialize('2025-11-25', {}, { name: 'größer', version: '1' }), initialized, later]),
    )
    const program = startProgram([])
    for (let at = 0; at < input.length; at += 7) {
      program.child.stdin.write(input.subarray(at, at + 7))
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      await new Promise(setImmediate)
    }
    program.child.stdin.end()
    await program.exited
    const whole = await runProgram(['--log-level', 'error'], {}, input.toString())
    expect(answers(program.stdout())).toEqual(answers(whole.stdout))
  })
})

/** Starts the program so that it records the loaded modules. */
function startNoting(env: Record<string, string> = {}): { program: Program; loaded(): string[] } {
  const folder = tempDir()
  onTestFinished(folder.remove)
  const [hook, notes] = [join(folder.path, 'hook.cjs'), join(folder.path, 'loaded')]
  writeFileSync(notes, '')
  writeFileSync(
    hook,
    `const { registerHooks } = require('node:module')
     const { appendFileSync } = require('node:fs')
     registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(notes)}, url + '\\n'); return next(url, context) } })`,
  )
  const program = startProgram([], { GOSSAMER_DATA_DIR: folder.path, NODE_OPTIONS: `--require ${hook}`, ...env })
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await program.exited
  })
  return { program, loaded: () => readFileSync(notes, 'utf8').split('\n') }
}

const isWhole = (loaded: readonly string[]) => loaded.some((url) => url.endsWith('/dist/main.js'))
const saidBy = (program: Program) => expect.poll(() => answers(program.stdout()).length)

test('the first messages load nothing, and the next call loads the whole program', async () => {
  const { program, loaded } = startNoting({ GOSSAMER_TOOLS: '', GOSSAMER_MODEL: '${user_config.model}' })
  program.child.stdin.write(written(session(...lists(), ping)))
  await saidBy(program).toBe(5)
  expect(loaded().length).toBeLessThan(15)
  expect(isWhole(loaded())).toBe(false)
  program.child.stdin.write(written([later]))
  await saidBy(program).toBe(6)
  expect(isWhole(loaded())).toBe(true)
  program.child.stdin.end()
  expect(await program.exited).toEqual({ code: 0, signal: null })
})

test('with a setting that affects tools, the whole program answers from the start', async () => {
  const wrong = await runProgram([], { GOSSAMER_MCP_MAX_CHARACTERS: 'many' }, written(session(...lists())))
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('GOSSAMER_MCP_MAX_CHARACTERS')
  const { program, loaded } = startNoting({ GOSSAMER_TOOLS: 'core' })
  program.child.stdin.write(written(session({ id: 1, method: 'tools/list' })))
  await saidBy(program).toBe(2)
  expect(isWhole(loaded())).toBe(true)
  expect(program.stdout()).not.toContain('"name":"crawl"')
})

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends a program that has only answered initialize', async (signal) => {
  const program = startProgram([])
  program.child.stdin.write(written(session()))
  await saidBy(program).toBe(1)
  program.kill(signal)
  expect(await program.exited).toEqual({ code: 0, signal: null })
})
