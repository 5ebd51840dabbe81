import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createForwardProxies, type ForwardProxies, type ProxyUse } from '../../src/engine/net/proxy/forward-proxy.ts'
import { parseProxy } from '../../src/engine/net/proxy/upstream-proxy.ts'
import { createAdHosts } from '../../src/engine/net/proxy/block-list.ts'
import { ruleForAll } from './rule-for-all.ts'
import { bodyOf, listen, serve } from '../helpers/listen.ts'
import { forTest, forAll } from '../helpers/for-all.ts'

const visits: IncomingMessage[] = []
const site = forAll(() =>
  serve(async (visit, answer) => {
    visits.push(visit)
    answer.writeHead(201, { 'x-kept': 'yes', 'keep-alive': 'no' }).end(`hello ${await bodyOf(visit)}`)
  }),
)

const opened: ForwardProxies[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((proxies) => proxies.close()))
  visits.length = 0
})

const lookup: LookupFunction = (_host, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

function open(
  allow: readonly string[] = [`127.0.0.1:${site.port}`, `site.example:${site.port}`, `ads.example:${site.port}`],
): ForwardProxies {
  const adHosts = createAdHosts(['||ads.example^'])
  const proxies = createForwardProxies({ ruleOf: ruleForAll(allow), adHosts, lookup })
  opened.push(proxies)
  return proxies
}

type Use = Omit<ProxyUse, 'teamId'>
const serverOf = async (proxies: ForwardProxies, use: Use) =>
  (await proxies.proxyFor({ teamId: 'team', ...use })).server

type Got = { status: number; headers: IncomingMessage['headers']; body: string }

/** One request in the form that is sent to a proxy. */
async function get(proxies: ForwardProxies, url: string, use: Use = { blockAds: true }, body = ''): Promise<Got> {
  const [host, port] = (await serverOf(proxies, use)).split(':')
  const sent = request({
    host,
    port,
    path: url,
    method: body ? 'POST' : 'GET',
    headers: { host: new URL(url).host, 'proxy-connection': 'keep-alive', 'x-mine': '1' },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }
}

async function tunnel(
  proxies: ForwardProxies,
  target: string,
  use: Use = { blockAds: true },
): Promise<{ status: number; socket: Socket }> {
  const [host, port] = (await serverOf(proxies, use)).split(':')
  const sent = request({ host, port, path: target, method: 'CONNECT' })
  sent.end()
  const [answer, socket] = (await once(sent, 'connect')) as [IncomingMessage, Socket]
  return { status: answer.statusCode ?? 0, socket }
}

describe('plain HTTP', () => {
  test('is forwarded with its body and headers, except those of the connection', async () => {
    const got = await get(open(), `http://site.example:${site.port}/a?b=1`, { blockAds: true }, 'body')
    expect(got).toMatchObject({ status: 201, body: 'hello body', headers: { 'x-kept': 'yes' } })
    expect(visits[0]).toMatchObject({
      method: 'POST',
      url: '/a?b=1',
      headers: { 'x-mine': '1', host: `site.example:${site.port}` },
    })
    expect(visits[0]?.headers).not.toHaveProperty('proxy-connection')
  })

  test('keeps the connection to a host for the next request', async () => {
    const proxies = open()
    await get(proxies, `http://site.example:${site.port}/1`)
    await get(proxies, `http://site.example:${site.port}/2`)
    expect(new Set(visits.map(({ socket }) => socket.remotePort)).size).toBe(1)
  })

  test.each([
    ['a private address', () => 'http://10.0.0.1/'],
    ['loopback on another port', () => 'http://127.0.0.1:1/'],
    ['a name that leads to loopback', () => 'http://rebinding.example/'],
  ])('to %s is refused', async (_, url) => {
    expect(await get(open(), url())).toMatchObject({ status: 502, body: '' })
    expect(visits).toEqual([])
  })
})

describe('a tunnel', () => {
  test('transfers bytes in both directions', async () => {
    const { status, socket } = await tunnel(open(), `site.example:${site.port}`)
    socket.write('GET /t HTTP/1.1\r\nhost: site.example\r\nconnection: close\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect({ status, text: Buffer.concat(chunks).toString() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('hello'),
    })
  })

  test.each(['127.0.0.1:1', '[::1]:443', 'rebinding.example:443'])('to %s is refused', async (target) => {
    const { status, socket } = await tunnel(open(), target)
    expect(status).toBe(502)
    socket.destroy()
  })

  test.each(['', 'no port', ':443'])('to "%s" is refused', async (target) => {
    const [host, port] = (await serverOf(open(), { blockAds: true })).split(':')
    const socket = connect(Number(port), host)
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/^(?:$|HTTP\/1\.1 [45]\d\d)/)
  })
})

describe('blocking', () => {
  test('stops advertising, unless blocking is turned off', async () => {
    const proxies = open()
    expect(await get(proxies, `http://sub.ads.example:${site.port}/`)).toMatchObject({ status: 403 })
    expect(await get(proxies, `http://ads.example:${site.port}/`, { blockAds: false })).toMatchObject({ status: 201 })
    const { status, socket } = await tunnel(proxies, `ads.example:${site.port}`)
    expect(status).toBe(403)
    socket.destroy()
  })

  test.each([true, false])("stops the browser's requests to its vendor (blockAds %s)", async (blockAds) => {
    const { status, socket } = await tunnel(open(['*']), 'update.googleapis.com:443', { blockAds })
    expect(status).toBe(403)
    socket.destroy()
  })
})

const proxy = async (onConnection: (socket: Socket) => void) =>
  forTest(await listen(createTcpServer(onConnection))).port
/** Answers each method with a status. */
const statusProxy = (statuses: Record<string, number>) =>
  proxy((client) => {
    client.once('data', (head) => {
      client.end(`HTTP/1.1 ${statuses[String(head).split(' ')[0] ?? '']} No\r\ncontent-length: 0\r\n\r\n`)
    })
  })
const by = (address: string): Use => ({ blockAds: true, proxy: parseProxy(address) })
const far = (proxies: Use) => get(open(['far.example:81']), 'http://far.example:81/x', proxies)
const toSite = (client: Socket) => {
  client.pipe(connect(site.port, '127.0.0.1')).pipe(client)
}

describe('an upstream proxy', () => {
  test('over HTTP gets the password, and the host name unresolved', async () => {
    const requests: string[] = []
    const port = await proxy((client) => {
      client.once('data', (head) => {
        requests.push(String(head))
        client.end('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n')
      })
    })
    expect(await far(by(`http://me:p%40ss@127.0.0.1:${port}`))).toMatchObject({ status: 201 })
    expect(requests[0]).toContain('GET http://far.example:81/x HTTP/1.1')
    expect(requests[0]).toContain(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  test('over SOCKS 5 accepts a password', async () => {
    const received: Buffer[] = []
    const port = await proxy((client) => {
      const answers = [Uint8Array.of(5, 2), Uint8Array.of(1, 0), Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0)]
      const take = (data: Buffer) => {
        received.push(data)
        client.write(answers.shift()!)
        if (answers.length > 0) return
        client.off('data', take)
        toSite(client)
      }
      client.on('data', take)
    })
    expect(await far(by(`socks5://me:pass@127.0.0.1:${port}`))).toMatchObject({ status: 201 })
    expect(received[0]).toEqual(Buffer.from([5, 2, 0, 2]))
    expect(received[1]).toEqual(Buffer.from('\x01\x02me\x04pass', 'latin1'))
    expect(received[2]).toEqual(Buffer.from('\x05\x01\0\x03\x0bfar.example\0\x51', 'latin1'))
  })

  test.each<[string, (socket: Socket) => void]>([
    ['refuses', (client) => client.end('HTTP/1.1 407 No\r\n\r\n')],
    ['hangs up', (client) => client.destroy()],
    ['sends invalid data', (client) => client.end('x'.repeat(40_000))],
  ])('that %s returns nothing, and the request does not hang', async (_, onConnection) => {
    const port = await proxy((client) => client.once('data', () => onConnection(client)))
    expect(await far(by(`http://127.0.0.1:${port}`))).toMatchObject({ status: 502 })
  })

  test.each([
    [{ GET: 401, CONNECT: 401 }, 502],
    [{ GET: 401, CONNECT: 403 }, 401],
    [{ GET: 401, CONNECT: 200 }, 401],
  ])('with answers %o is distinguished from a site that requires a login', async (statuses, status) => {
    expect(await far(by(`http://me:pass@127.0.0.1:${await statusProxy(statuses)}`))).toMatchObject({ status })
  })

  test.each([
    ['control characters', '200 O\x01K\r\nx-odd: a\x01b', 200],
    ['an impossible status', '20 OK', 502],
  ])('may send an answer with %s', async (_, head, status) => {
    const port = await proxy((client) => {
      client.once('data', () => client.end(`HTTP/1.1 ${head}\r\ncontent-length: 2\r\n\r\nok`))
    })
    expect(await far(by(`http://127.0.0.1:${port}`))).toMatchObject({ status })
  })

  test('gets no request for a private host', async () => {
    const requests: Socket[] = []
    const port = await proxy((client) => void requests.push(client))
    expect(await get(open(), 'http://10.0.0.1/', by(`http://127.0.0.1:${port}`))).toMatchObject({ status: 502 })
    expect(requests).toEqual([])
  })
})

test('the error of a URL is kept when another page of its host is loaded', async () => {
  const ok = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'
  const port = await proxy((client) =>
    client.once('data', (head) => client.end(head.includes('/bad') ? 'SSH\r\n\r\n' : ok)),
  )
  const origin = `http://site.example:${port}`
  const proxies = open([`site.example:${port}`])
  expect(await get(proxies, `${origin}/bad`)).toMatchObject({ status: 502 })
  expect(await get(proxies, `${origin}/good`)).toMatchObject({ status: 200 })
  const { errorOf } = await proxies.proxyFor({ teamId: 'team', blockAds: true })
  expect(errorOf(`${origin}/bad`)).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
})
