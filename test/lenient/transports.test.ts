import { afterAll, describe, expect, test } from 'vitest'
import { localTeam } from '../../src/app/app.ts'
import { openProgram } from '../helpers/open-program.ts'
import { modern } from '../mcp/http-toy.ts'
import { forAll } from '../helpers/for-all.ts'
import { bodyOf, serve } from '../helpers/listen.ts'
import { operationOf } from './corpus.ts'

const answer = { id: 'i', links: [] }
const url = 'https://example.com'
const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** The program, with a map that records its inputs. */
function program(env: Record<string, string> = {}) {
  const inputs: object[] = []
  const { job: _, limitMs: _limit, price: _price, ...map } = operationOf('map')
  const run = async (input: object) => (inputs.push(input), answer)
  const opened = openProgram(env, () => [{ ...map, run }])
  closing.push(opened.close)
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await opened.post(path, body, headers)
    return { status: response.status, text: await response.text() }
  }
  return { app: opened.app, inputs, post }
}

const sent = { URL: url, max_links: '5', colour: 'red' }

describe('REST', () => {
  const lenient = program()
  const strict = program({ GOSSAMER_STRICT: 'true' })

  test('coerces input and reports that, and ignored fields, in the same words as MCP', async () => {
    const { text } = await lenient.post('/v2/map', sent, {})
    const { warning } = JSON.parse(text) as { warning: string }
    expect(warning).toContain('Read URL as url, max_links as limit, limit as a number.')
    expect(warning).toContain('Ignored unknown field: colour.')
    expect(lenient.inputs.at(-1)).toMatchObject({ url, limit: 5 })
  })

  test.each(['handling=strict', 'respond-async, handling=strict', 'return=minimal; handling="strict"'])(
    'coerces nothing for a call with the header Prefer: %s',
    async (prefer) => {
      const { status, text } = await lenient.post('/v2/map', sent, { prefer })
      expect(status).toBe(400)
      expect(text).toContain('"url"')
    },
  )

  test('validates every call strictly if the setting says so, except calls that request coercion', async () => {
    expect((await strict.post('/v2/map', sent, {})).status).toBe(400)
    expect((await strict.post('/v2/map', { url, colour: 'red' }, {})).text).toContain('unrecognized_keys')
    expect((await strict.post('/v2/map', sent, { prefer: 'handling=lenient' })).status).toBe(200)
    expect((await strict.post('/v2/map', { url, limit: 5 }, {})).status).toBe(200)
  })
})

describe('MCP over HTTP', () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'map', arguments: sent, _meta: modern },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'map' }

  test('obeys the same header', async () => {
    const { post } = program()
    expect((await post('/mcp', message, headers)).text).toContain('Read URL as url, max_links as limit')
    expect((await post('/mcp', message, { ...headers, prefer: 'handling=strict' })).text).toContain('BAD_REQUEST')
  })
})

describe('passthrough', () => {
  const bodies: unknown[] = []
  const server = forAll(() =>
    serve(async (request, response) => {
      bodies.push(JSON.parse(await bodyOf(request)))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success: true, ...answer, warning: 'Far away.' }))
    }),
  )

  test('forwards coerced input, without defaults, and reports the coercion', async () => {
    const { app } = program({ GOSSAMER_REMOTE_URL: server.origin })
    const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
    const output = await app.invoke(operationOf('map'), { ...sent, headers: '{"X-Max": "5"}' }, ctx)
    expect(bodies).toEqual([{ url, limit: 5, headers: { 'X-Max': '5' }, colour: 'red' }])
    expect(output).toMatchObject({
      warning: expect.stringMatching(/^Far away\. Read URL as url, .* headers as JSON\.$/),
    })
  })

  test('waits for a job for the seconds given as text', async () => {
    const { app } = program({ GOSSAMER_REMOTE_URL: server.origin })
    const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
    await app.invoke(operationOf('crawl'), { url, wait: '0' }, ctx)
    expect(bodies.at(-1)).toEqual({ url })
  })
})
