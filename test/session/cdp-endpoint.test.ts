import { describe, expect, test, vi } from 'vitest'
import { createCdpEndpoint, type CdpEndpointOptions } from '../../src/engine/session/cdp-endpoint.ts'
import { quiet } from '../browser/programs/machine.ts'
import { scripted, settle } from '../browser/programs/scripted.ts'
import { scriptedPeer } from './programs/scripted-peer.ts'

const version = { product: 'Chrome/1', protocolVersion: '1.3', userAgent: 'Toy' }

function endpointOf(more: Partial<CdpEndpointOptions> = {}) {
  const browser = scripted()
  const onActivity = vi.fn()
  const { connection } = browser
  const endpoint = createCdpEndpoint({ connection, version, onActivity, log: quiet, ...more })
  /** Connects a client that uses the given CDP session. */
  const joined = async (root: string) => {
    const peer = scriptedPeer()
    const connecting = endpoint.connect(peer.peer)
    browser.answer({ sessionId: root })
    await connecting
    return peer
  }
  return { ...browser, endpoint, onActivity, joined }
}

const call = (id: number, method: string, params = {}) => ({ id, method, params })

describe('a client', () => {
  test('uses the browser as if alone, and each message counts as activity', async () => {
    const { joined, last, say, onActivity } = endpointOf()
    const peer = await joined('root')
    expect(onActivity).not.toHaveBeenCalled()
    peer.say(call(7, 'Browser.getVersion'))
    expect(last()).toMatchObject({ method: 'Browser.getVersion', sessionId: 'root' })
    say({ id: last().id!, result: { product: 'P' }, sessionId: 'root' })
    say({ method: 'Target.targetCreated', params: {}, sessionId: 'root' })
    expect(peer.read()).toEqual([
      { id: 7, result: { product: 'P' } },
      { method: 'Target.targetCreated', params: {} },
    ])
    expect(onActivity).toHaveBeenCalledTimes(1)
  })

  test.each(['no JSON', '[]', '1', 'null', '', '{"id":1'])(
    'gets an error for the text %j, and stays connected',
    async (text) => {
      const { joined, sent } = endpointOf()
      const peer = await joined('root')
      const before = sent.length
      peer.say(text)
      expect(peer.read()).toEqual([{ error: { code: -32700, message: expect.any(String) } }])
      expect([sent.length, peer.close.mock.calls]).toEqual([before, []])
    },
  )

  test.each<object>([
    {},
    { id: 1 },
    { id: 1, method: 7 },
    { id: 'x', method: 'Browser.getVersion' },
    { id: 1, method: 'Page.navigate', params: 'x' },
    { method: 'Target.createBrowserContext' },
  ])('gets an error for the message %j, and stays connected', async (message) => {
    const { joined, sent } = endpointOf()
    const peer = await joined('root')
    const before = sent.length
    peer.say(message)
    await settle()
    expect(peer.read()).toMatchObject([{ error: { code: -32600 } }])
    expect([sent.length, peer.close.mock.calls]).toEqual([before, []])
  })

  test('is refused commands that affect more than pages', async () => {
    const { joined, sent } = endpointOf()
    const peer = await joined('root')
    const before = sent.length
    peer.say(call(1, 'Page.navigate', { url: 'file:///etc/passwd' }))
    peer.say({ ...call(2, 'Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/' }), sessionId: 'S' })
    expect(peer.read()).toEqual([
      { id: 1, error: { code: -32000, message: expect.stringMatching(/\.$/) } },
      { id: 2, result: {}, sessionId: 'S' },
    ])
    expect(sent).toHaveLength(before)
  })

  test('is disconnected if it sends binary data', async () => {
    const { joined } = endpointOf()
    const peer = await joined('root')
    peer.say(new Uint8Array([1]))
    expect(peer.close.mock.calls).toEqual([[1003, expect.any(String)]])
  })

  test('ends only its own connection when it closes the browser', async () => {
    const { joined, sent, last } = endpointOf()
    const [one, other] = [await joined('one'), await joined('other')]
    one.say(call(1, 'Browser.close'))
    expect(one.read()).toEqual([{ id: 1, result: {} }])
    expect(one.close.mock.calls).toEqual([[1000, expect.any(String)]])
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'one' } })
    expect(sent.map(({ method }) => method)).not.toContain('Browser.close')
    other.say(call(1, 'Browser.getVersion'))
    expect(last()).toMatchObject({ method: 'Browser.getVersion', sessionId: 'other' })
    expect(other.close).not.toHaveBeenCalled()
  })

  test('gets no more events after it has disconnected', async () => {
    const { joined, last, say } = endpointOf()
    const peer = await joined('root')
    peer.leave()
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'root' } })
    say({ method: 'Target.targetCreated', params: {}, sessionId: 'root' })
    expect([peer.read(), peer.close.mock.calls]).toEqual([[], []])
  })

  test('is disconnected if it does not read, but not because of one long message', async () => {
    const { joined, say, last } = endpointOf()
    const peer = await joined('root')
    const event = (length: number) =>
      say({ method: 'Target.targetCreated', params: { text: 'x'.repeat(length) }, sessionId: 'root' })
    event(70_000_000)
    expect(peer.read()).toHaveLength(1)
    for (let nth = 0; nth < 10; nth++) event(30_000_000)
    expect(peer.close.mock.calls).toEqual([[1008, expect.any(String)]])
    expect(peer.read().length).toBeLessThan(5)
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget' })
  })

  test('is paused while the browser does not read', async () => {
    const { connection } = scripted()
    const drained = Promise.withResolvers<void>()
    let isFull = true
    const send = vi.fn()
    const client = async () => ({ send, isFull: () => isFull, drained: () => drained.promise, close: async () => {} })
    const { endpoint } = endpointOf({ connection: { ...connection, client } })
    const peer = scriptedPeer()
    await endpoint.connect(peer.peer)
    peer.say(call(1, 'Browser.getVersion'))
    expect([peer.isPaused(), send.mock.calls.length]).toEqual([true, 1])
    isFull = false
    drained.resolve()
    await settle()
    expect(peer.isPaused()).toBe(false)
  })
})

const info = (targetId: string, type: string, browserContextId: string) => {
  return { targetId, type, browserContextId, title: 'T', url: 'U', attached: true }
}

describe('the endpoint', () => {
  test('denies downloads in each context that a client creates, before it reports the context to the client', async () => {
    const { joined, last, say, sent } = endpointOf()
    const peer = await joined('root')
    peer.say(call(1, 'Target.createBrowserContext', { disposeOnDetach: false }))
    expect(last()).toMatchObject({ method: 'Target.createBrowserContext', params: { disposeOnDetach: true } })
    say({ id: last().id!, result: { browserContextId: 'C' }, sessionId: 'root' })
    expect(peer.read()).toEqual([{ id: 1, result: { browserContextId: 'C' } }])
    expect(sent.at(-1)).toMatchObject({
      method: 'Browser.setDownloadBehavior',
      params: { behavior: 'deny', browserContextId: 'C' },
    })
    expect(last()).not.toHaveProperty('sessionId')
  })

  test.each([
    [{}, ['A', 'B']],
    [{ contextId: 'own' }, ['A']],
  ])('lists the pages within %j', async (reach, ids) => {
    const { endpoint, answer } = endpointOf({ reach })
    const pages = endpoint.pages()
    answer({ targetInfos: [info('A', 'page', 'own'), info('B', 'page', 'other'), info('C', 'iframe', 'own')] })
    expect(await pages).toEqual(ids.map((id) => ({ id, url: 'U', title: 'T' })))
  })

  test('disconnects all clients when it closes', async () => {
    const { endpoint, joined } = endpointOf()
    const peers = [await joined('one'), await joined('other')]
    endpoint.close()
    endpoint.close()
    for (const { close } of peers) expect(close.mock.calls).toEqual([[1001, 'The browser session has ended.']])
  })

  test('disconnects all clients when the browser ends, and clients that connect later', async () => {
    const { endpoint, joined, end } = endpointOf()
    const before = await joined('one')
    end('was closed by the browser')
    const after = scriptedPeer()
    await endpoint.connect(after.peer)
    for (const { close } of [before, after])
      expect(close.mock.calls).toEqual([[1001, 'The browser session has ended.']])
  })
})
