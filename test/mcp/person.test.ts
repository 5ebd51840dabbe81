import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { type Abilities, connect, type Kind, kinds, outputOf, type Question, startHttp } from './clients.ts'
import { modern, startToy } from './http-toy.ts'
import { loginUrl, toyLogin } from './toy-login.ts'
import { caller } from './toy.ts'

const command = [process.execPath, fileURLToPath(new URL('toy-login-server.ts', import.meta.url))]
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function join(transport: 'stdio' | 'http', kind: Kind, abilities: Abilities) {
  const { options, runs } = toyLogin()
  if (transport === 'stdio') {
    const client = await connect(kind, { command }, abilities)
    const output = client.stderr ? text(client.stderr) : Promise.resolve('')
    return { client, ended: async () => /runs (.*)/.exec(await output)?.[1]?.split(' ') }
  }
  const mcp = createMcpFetch(options)
  const server = await startHttp((request) => mcp.fetch(request, caller))
  closing.push(() => mcp.close(), server.close)
  return { client: await connect(kind, { url: server.url }, abilities), ended: async () => runs }
}

type Says = 'accept' | 'decline' | 'cancel'
/** A person who gives these answers, in order. */
function person(...says: Says[]) {
  const asked: Question[] = []
  const elicit = async (question: Question): Promise<Says> => {
    asked.push(question)
    return says[asked.length - 1] ?? 'cancel'
  }
  return { asked, elicit }
}
const both = { elicitation: { url: {}, form: {} } }
const alone = { elicitation: { url: {} } }

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  it.each(kinds)('a person is asked by a call to the client %s, which continues with the answer', async (kind) => {
    const says: Says[][] = [['accept', 'accept'], ['accept', 'decline'], ['decline'], ['cancel']]
    const { asked, elicit } = person(...says.flat())
    const { client, ended } = await join(transport, kind, { capabilities: both, elicit })
    const result = await client.call('toy_login', { times: 4 })
    expect(outputOf(result)).toEqual({ answers: ['done', 'declined', 'declined', 'declined'] })
    expect(asked.map(({ mode }) => mode)).toEqual(['url', 'form', 'url', 'form', 'url', 'url'])
    expect(asked[0]).toMatchObject({ message: 'Please log in.', url: loginUrl })
    await client.close()
    expect(await ended()).toEqual(['done'])
  })

  it.each(kinds)('the wait for a person ends when the client %s disconnects', async (kind) => {
    const opened = Promise.withResolvers<void>()
    const elicit = () => {
      opened.resolve()
      return new Promise<Says>(() => {})
    }
    const { client, ended } = await join(transport, kind, { capabilities: both, elicit })
    client.call('toy_login', {}).catch(() => {})
    await opened.promise
    await client.close()
    // Over HTTP, a call of 2026-07-28 is abandoned only after some time without a reply, or when the server ends.
    if (transport === 'http' && !['v1', 'v2 legacy'].includes(kind))
      for (const close of closing.splice(0).reverse()) await close()
    await vi.waitFor(async () => expect(await ended()).toEqual(['aborted']), 20_000)
  })
})

describe.each(kinds)('the client %s', (kind) => {
  const cases: [string, object, string, number][] = [
    ['counts an opened address as done if it supports no forms', alone, 'done', 1],
    ['is not asked if it cannot open addresses', { elicitation: { form: {} } }, 'cannot be asked', 0],
  ]
  it.each(cases)('%s', async (_, capabilities, answer, questions) => {
    const { asked, elicit } = person('accept', 'accept')
    const { client } = await join('http', kind, { capabilities, elicit })
    expect(outputOf(await client.call('toy_login', {}))).toEqual({ answers: [answer] })
    expect(asked).toHaveLength(questions)
    await client.close()
  })
})

const asking = { ...modern, 'io.modelcontextprotocol/clientCapabilities': both }
const start = async () => {
  const { options, runs } = toyLogin()
  const { ask } = await startToy(options)
  const call = async (more: object = {}, name = 'toy_login') =>
    (await ask('tools/call', { name, arguments: {}, ...more, _meta: asking })).json() as Promise<Answer>
  return { runs, call }
}
type Answer = { result?: { requestState?: string; resultType?: string }; error?: object }

it.each([
  ['is unknown', '0190c2a0-0000-4000-8000-000000000000'],
  ['is empty', ''],
])('a call of 2026-07-28 that waits for a person is not found with a state that %s', async (_, requestState) => {
  const { call, runs } = await start()
  await call()
  expect((await call({ requestState, inputResponses: { person: { action: 'accept' } } })).error).toMatchObject({
    code: -32602,
  })
  expect(runs).toEqual(['running'])
})
