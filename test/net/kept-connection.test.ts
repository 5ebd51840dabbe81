import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../src/engine/net/proxy/block-list.ts'
import { answer, close, rawSite, reset, type Step } from './raw-site.ts'
import { forTest } from '../helpers/for-all.ts'
import { ruleForAll } from './rule-for-all.ts'

/** Starts a raw site; `ask` returns the status and text that a browser gets from it over the forward proxy. */
async function world(steps: readonly Step[]) {
  const site = await rawSite(steps)
  const proxies = forTest(createForwardProxies({ ruleOf: ruleForAll([site.host]), adHosts: createAdHosts([]) }))
  const { server } = await proxies.proxyFor({ teamId: 'team', blockAds: false })
  const [host, port] = server.split(':')
  const ask = async (path: string, body = ''): Promise<[number | undefined, string]> => {
    const sent = request({ host, port, path: site.url(path), method: body ? 'POST' : 'GET' }).end(body)
    const [got] = (await once(sent, 'response')) as [IncomingMessage]
    return [got.statusCode, (await got.toArray()).join('')]
  }
  return { ...site, ask, connections: () => site.requests.map(({ connection }) => connection) }
}

describe('a kept connection', () => {
  test.each<[string, Step]>([
    ['resets', reset],
    ['closes', close],
  ])('that the site %s as the next request arrives is replaced, and the form is sent once more', async (_, ends) => {
    const { ask, requests } = await world([answer('page'), ends, answer('done')])
    await ask('/page')
    expect(await ask('/form', 'name=Ada')).toEqual([200, 'done'])
    expect(requests).toEqual([
      { text: 'GET /page', connection: 1 },
      { text: 'POST /form name=Ada', connection: 1 },
      { text: 'POST /form name=Ada', connection: 2 },
    ])
  })

  test('that the site closed while it was idle is not used again', async () => {
    const { ask, sockets, connections } = await world([answer('page'), answer('done')])
    await ask('/page')
    const closed = sockets.map((socket) => once(socket.end(), 'close'))
    await Promise.all(closed)
    expect(await ask('/form', 'name=Ada')).toEqual([200, 'done'])
    expect(connections()).toEqual([1, 2])
  })

  test('is replaced by a new connection even if others are kept, and only once', async () => {
    const hold = Promise.withResolvers<void>()
    const late: Step = (socket) => void hold.promise.then(() => answer('page')(socket))
    const { ask, requests, connections } = await world([late, late, reset, reset, answer('done')])
    const pages = [ask('/1'), ask('/2')]
    await expect.poll(() => requests.length).toBe(2)
    hold.resolve()
    await Promise.all(pages)
    expect(await ask('/form', 'name=Ada')).toEqual([502, ''])
    expect(connections().slice(0, 2)).toEqual([1, 2])
    expect(connections().slice(2)).toEqual([expect.any(Number), 3])
  })

  test('is replaced for a body of one megabyte, and not for a longer one', async () => {
    const { ask, connections } = await world([answer('page'), reset, answer('done'), answer('page'), reset])
    await ask('/page')
    expect(await ask('/form', 'x'.repeat(2 ** 20))).toEqual([200, 'done'])
    await ask('/page')
    expect(await ask('/form', 'x'.repeat(2 ** 20 + 1))).toEqual([502, ''])
    expect(connections()).toEqual([1, 1, 2, 3, 3])
  })
})

test('a new connection that is reset before an answer is not replaced', async () => {
  const { ask, connections } = await world([reset, answer('done')])
  expect(await ask('/form', 'name=Ada')).toEqual([502, ''])
  expect(connections()).toEqual([1])
})
