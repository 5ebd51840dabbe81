import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { toyCommand } from './clients.ts'
import { initialize, modern } from './http-toy.ts'

type Message = {
  id?: number
  result?: Record<string, unknown>
  error?: { code: number; data?: unknown }
  method?: string
}

const children: ChildProcessWithoutNullStreams[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The toy server as a process, to which the test writes messages. */
function start() {
  const [command = '', ...args] = toyCommand
  const child = spawn(command, args)
  children.push(child)
  const lines: string[] = []
  const waiting = new Map<number, (message: Message) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    const message: Message = JSON.parse(line)
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })
  let id = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    child,
    lines,
    send,
    ask: (message: object) =>
      new Promise<Message>((answered) => {
        id += 1
        waiting.set(id, answered)
        send({ id, ...message })
      }),
    reported: (words: string) =>
      new Promise<void>((found) => {
        child.stderr.on('data', (chunk) => String(chunk).includes(words) && found())
      }),
  }
}

describe('the server over stdio', () => {
  it('answers both handshakes, and lists its protocol versions', async () => {
    expect((await start().ask(initialize)).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'toy', title: 'Toy' },
      instructions: 'Toys for tests.',
    })
    const other = start()
    expect((await other.ask({ method: 'server/discover', params: { _meta: modern } })).result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      cacheScope: 'private',
    })
    const future = { ...modern, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    expect((await start().ask({ method: 'tools/list', params: { _meta: future } })).error).toMatchObject({
      code: -32_022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    })
  })

  it.each([
    ['before 2026-07-28', initialize, {}],
    ['of 2026-07-28', { method: 'server/discover', params: { _meta: modern } }, { _meta: modern }],
  ])(
    'lists tools with the same bytes in three processes and after calls, in a protocol version %s',
    async (_era, open, params) => {
      const listed = await Promise.all(
        [0, 1, 2].map(async (calls) => {
          const { ask } = start()
          await ask(open)
          for (let call = 0; call < calls; call++)
            await ask({ method: 'tools/call', params: { ...params, name: 'toy_add', arguments: { a: 1, b: call } } })
          return JSON.stringify((await ask({ method: 'tools/list', params })).result)
        }),
      )
      expect(new Set(listed).size).toBe(1)
      if ('_meta' in params)
        expect(JSON.parse(listed[0] ?? '')).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' })
    },
  )

  it('writes nothing but JSON-RPC', async () => {
    const { ask, child, lines } = start()
    await ask(initialize)
    child.stdin.write('junk\n{"jsonrpc":"2.0"}\n')
    for (const how of ['known', 'unknown', 'loud'])
      await ask({ method: 'tools/call', params: { name: 'toy_fail', arguments: { how } } })
    await ask({ method: 'tools/call', params: { name: 'nothing' } })
    await ask({ method: 'tools/call', params: { name: 'toy_add', arguments: 'text' } })
    expect(lines.map((line) => JSON.parse(line)).filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([])
  })

  it('survives a thousand calls with random arguments', async () => {
    const { ask } = start()
    await ask(initialize)
    const name = fc.constantFrom('toy_page', 'toy_add', 'toy_fail')
    const calls = fc.sample(fc.record({ name, arguments: anyArguments }), { numRuns: 1000, seed: 42 })
    const answers = await Promise.all(calls.map((params) => ask({ method: 'tools/call', params })))
    expect(answers.filter(({ result }) => !Array.isArray(result?.['content']))).toEqual([])
    expect(answers.some(({ result }) => result?.['isError'] === true)).toBe(true)
    expect(JSON.stringify(answers)).not.toMatch(/\.ts:\d|node_modules|secret inner|at async/)
    expect((await ask({ method: 'tools/list' })).result).toBeDefined()
  })

  it('ends with its input, even during calls', async () => {
    const { ask, send, child, reported } = start()
    await ask(initialize)
    const started = reported('started')
    send({ id: 77, method: 'tools/call', params: { name: 'toy_wait', arguments: {} } })
    await started
    const [aborted, exit] = [reported('aborted'), once(child, 'exit')]
    child.stdin.end()
    await aborted
    expect(await exit).toEqual([0, null])
  })

  it('ends when its output is closed', async () => {
    const { ask, send, child } = start()
    await ask(initialize)
    const exit = once(child, 'exit')
    child.stdout.destroy()
    for (let id = 1000; id < 1010; id++) send({ id, method: 'tools/list' })
    child.stdin.on('error', () => {})
    expect(await exit).toEqual([0, null])
  })
})

const names = ['a', 'b', 'unit', 'tags', 'how', 'paragraphs', 'offset', 'maxCharacters', '__proto__', 'constructor', '']
const values = fc.constantFrom<unknown>(-1, 3, 1e308, 2 ** 53, '5', '\0', '../../etc', 'known', 'unknown', 'kg')
const anyArguments = fc.dictionary(fc.constantFrom(...names), fc.oneof(values, fc.jsonValue()), { maxKeys: 5 })
