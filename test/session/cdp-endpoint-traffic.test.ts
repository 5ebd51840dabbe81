import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { serve } from '../helpers/listen.ts'
import { handshake } from '../http/endpoint-toys.ts'
import { openEndpoint, rawClient } from './programs/open-endpoint.ts'
import { forAll } from '../helpers/for-all.ts'

/** Records all requests and answers them itself. */
const requested: string[] = []
const proxy = forAll(() =>
  serve(({ url }, response) => {
    requested.push(url ?? '')
    response.setHeader('content-type', 'text/html').end('<title>by the proxy</title>')
  }),
)
const endpoint = forAll(() => openEndpoint({ proxy: proxy.origin }))

/** Connects a client and attaches it to the first tab. */
async function onFirstTab() {
  const client = await rawClient(endpoint.ws)
  const targetId = (await endpoint.pages())[0]!.id
  const { result } = await client.call('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(result?.['sessionId'])
  const evaluate = async (expression: string) => {
    const answer = await client.call('Runtime.evaluate', { expression, returnByValue: true }, sessionId)
    return (answer.result?.['result'] as { value?: unknown } | undefined)?.value
  }
  return { ...client, evaluate }
}

test('invalid JSON and invalid WebSocket frames do not affect other clients', async () => {
  const [broken, other] = [await onFirstTab(), await onFirstTab()]
  broken.socket.send('no JSON')
  expect(await broken.evaluate('1 + 1')).toBe(2)
  const [, wire] = (await once(request(endpoint.http, { headers: handshake }).end(), 'upgrade')) as [object, Socket]
  // Reserved bits, and no mask.
  wire.resume().write(Buffer.from([0xff, 0x01, 0x00]))
  await once(wire, 'close')
  expect(await other.evaluate('2 + 2')).toBe(4)
  for (const { socket } of [broken, other]) socket.close()
})

test('the WebSocket URL of a page controls only that page', async () => {
  const list = (await (await fetch(`${endpoint.http}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
    title: string
  }[]
  expect(list).toMatchObject([{ title: 'first' }])
  const page = await rawClient(list[0]!.webSocketDebuggerUrl)
  const { result } = await page.call('Runtime.evaluate', { expression: 'document.title', returnByValue: true })
  expect(result).toMatchObject({ result: { value: 'first' } })
  page.socket.close()
})

test('a context created by a client uses the network of the session', async () => {
  const client = await chromium.connectOverCDP(endpoint.ws)
  const page = await (await client.newContext()).newPage()
  for (const url of ['http://127.0.0.1:8099/own', 'http://a.example/']) {
    await page.goto(url)
    expect(await page.title()).toBe('by the proxy')
    expect(requested).toContain(url)
  }
  await client.close()
})
