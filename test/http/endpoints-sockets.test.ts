import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ask } from './toys.ts'
import { forTest } from '../helpers/for-all.ts'
import { dial, type EndpointToys, handshake, keys, serveToys } from './endpoint-toys.ts'

async function served(...options: Parameters<typeof serveToys>): Promise<EndpointToys> {
  return forTest(await serveToys(...options))
}

const refused = async (toys: EndpointToys, path: string, headers: Record<string, string> = {}) => {
  const { status, json } = await ask(toys.server.url + path, {
    headers: { authorization: '', ...handshake, ...headers },
  })
  return [status, json['code']]
}
const cdp = `/cdp/${keys.cdp}`
const live = `/live/${keys.view}/ws`

describe('the WebSocket of a session', () => {
  it.each([cdp, `${cdp}/`, `${cdp}/devtools/browser/any-id`, live])('%s is opened without an API key', async (path) => {
    const toys = await served()
    const { socket, messages } = dial(toys, path)
    await once(socket, 'open')
    socket.send('hello')
    await once(socket, 'message')
    expect(messages).toEqual(['hello'])
    expect(toys.peers).toMatchObject([{ received: ['hello'] }])
  })

  it('carries binary frames unchanged, and reports its end once', async () => {
    const toys = await served()
    const { socket, closed } = dial(toys, live)
    await once(socket, 'open')
    socket.send(Buffer.from([1, 2]))
    const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
    expect([[...data], isBinary]).toEqual([[1, 2], true])
    socket.close(1000)
    await closed
    await expect.poll(() => toys.peers[0]?.closed).toBe(true)
  })

  it.each([
    ['/cdp/none', [401, 'UNAUTHORIZED']],
    [`/cdp/${keys.view}`, [401, 'UNAUTHORIZED']],
    ['/cdp/none/devtools/page/P1', [401, 'UNAUTHORIZED']],
    [`${cdp}/devtools/page/none`, [404, 'NOT_FOUND']],
    [`${cdp}/else`, [404, 'NOT_FOUND']],
    ['/live/none/ws', [404, 'NOT_FOUND']],
    [`/live/${keys.cdp}/ws`, [404, 'NOT_FOUND']],
    [`/live/${keys.view}`, [404, 'NOT_FOUND']],
    ['/elsewhere', [404, 'NOT_FOUND']],
  ])('%s is refused with a body', async (path, answer) => expect(await refused(await served(), path)).toEqual(answer))

  it.each([cdp, live])(
    '%s is refused to other hosts and pages of other sites, with or without known keys',
    async (path) => {
      const toys = await served()
      for (const headers of [
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
        { origin: 'https://good.example' },
        { origin: 'null' },
        { origin: `http://127.0.0.1:${toys.server.port + 1}` },
      ])
        for (const target of [path, path.replace(/secret/, 'wrong')])
          expect(await refused(toys, target, headers)).toEqual([403, 'ORIGIN_REFUSED'])
      expect(toys.peers).toEqual([])
    },
  )

  it.each([
    ['the address it was reached by', {}, (toys: EndpointToys) => toys.server.url],
    ['the published address', { publicUrl: 'https://toys.example' }, () => 'https://toys.example'],
  ])('is open to pages of %s', async (_, options, origin) => {
    const toys = await served(options)
    for (const path of [cdp, live]) await once(dial(toys, path, { origin: origin(toys) }).socket, 'open')
  })

  it('accepts messages of many megabytes for programs but not for viewers', async () => {
    const toys = await served()
    const [program, viewer] = [dial(toys, cdp), dial(toys, live)]
    await Promise.all([once(program.socket, 'open'), once(viewer.socket, 'open')])
    program.socket.send('x'.repeat(5_000_000))
    viewer.socket.send('x'.repeat(1_000_001))
    await once(program.socket, 'message')
    expect(program.messages[0]).toHaveLength(5_000_000)
    expect((await viewer.closed).code).toBe(1009)
  })

  it('is refused beyond the maximum of all kinds', async () => {
    const toys = await served({}, { maxSockets: 2 })
    await Promise.all([cdp, live].map((path) => once(dial(toys, path).socket, 'open')))
    expect(await refused(toys, cdp)).toEqual([429, 'QUEUE_FULL'])
  })
})

describe('the server side of a WebSocket', () => {
  it('reports the backlog of a client that does not read, and closes it in time', async () => {
    const toys = await served()
    const { socket } = dial(toys, cdp)
    await once(socket, 'open')
    socket.pause()
    const { peer } = toys.peers[0]!
    peer.send('x'.repeat(30_000_000))
    expect(peer.bufferedBytes()).toBeGreaterThan(1_000_000)
    peer.close(1008, 'Reads nothing.')
    await expect.poll(() => toys.peers[0]?.closed).toBe(true)
    socket.terminate()
  })

  it('delivers no messages between pause and resume', async () => {
    const toys = await served()
    const { socket } = dial(toys, cdp)
    await once(socket, 'open')
    const paused = toys.peers[0]!
    paused.peer.pause()
    for (const text of ['a', 'b', 'c']) socket.send(text)
    const other = dial(toys, cdp)
    await once(other.socket, 'open')
    other.socket.send('delivered meanwhile')
    await once(other.socket, 'message')
    expect(paused.received).toEqual([])
    paused.peer.resume()
    await expect.poll(() => paused.received).toEqual(['a', 'b', 'c'])
  })
})

/**
 * Connects a client to one page; the test plays the browser with `say`. `sentToClient` returns what the client
 * received.
 */
async function joined() {
  const toys = await served()
  const dialled = dial(toys, `${cdp}/devtools/page/P1`)
  await once(dialled.socket, 'open')
  await expect.poll(() => toys.peers[0]?.received.length).toBe(1)
  const { peer, received } = toys.peers[0]!
  const attach = JSON.parse(String(received[0])) as { id: number }
  const say = (message: object) => peer.send(JSON.stringify(message))
  return {
    ...dialled,
    received,
    attach,
    say,
    sentToClient: () => dialled.messages.map((text) => JSON.parse(text) as object),
  }
}

describe('the WebSocket of one page', () => {
  it('attaches to the page, and then passes messages to and from that page', async () => {
    const { socket, received, attach, say, sentToClient } = await joined()
    expect(attach).toMatchObject({ method: 'Target.attachToTarget', params: { targetId: 'P1', flatten: true } })
    socket.send(JSON.stringify({ id: 1, method: 'Page.enable' }))
    say({ method: 'Target.attachedToTarget', params: { sessionId: 'S' } })
    say({ id: attach.id, result: { sessionId: 'S' } })
    await expect.poll(() => received.length).toBe(2)
    expect(JSON.parse(String(received[1]))).toEqual({ id: 1, method: 'Page.enable', sessionId: 'S' })
    say({ id: 1, result: {}, sessionId: 'S' })
    say({ method: 'Target.targetCreated', params: {} })
    say({ method: 'Page.loadEventFired', params: {}, sessionId: 'S' })
    say({ method: 'Page.loadEventFired', params: {}, sessionId: 'child' })
    await expect.poll(sentToClient).toEqual([
      { id: 1, result: {} },
      { method: 'Page.loadEventFired', params: {} },
      { method: 'Page.loadEventFired', params: {}, sessionId: 'child' },
    ])
    socket.send(JSON.stringify({ id: 2, method: 'Page.enable', sessionId: 'child' }))
    socket.send('no JSON')
    await expect
      .poll(() => received.slice(2))
      .toEqual([JSON.stringify({ id: 2, method: 'Page.enable', sessionId: 'child' }), 'no JSON'])
  })

  it('ends with its page', async () => {
    const { attach, say, closed } = await joined()
    say({ id: attach.id, result: { sessionId: 'S' } })
    say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } })
    expect(await closed).toMatchObject({ code: 1000 })
  })
})
