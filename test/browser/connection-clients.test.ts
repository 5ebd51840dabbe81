import { describe, expect, test } from 'vitest'
import type { CdpClient } from '../../src/engine/browser/cdp/cdp-connection.ts'
import type { CdpMessage } from '../../src/engine/browser/cdp/cdp-wire.ts'
import { scripted, settle } from './programs/scripted.ts'

/** Attaches to a page over the client's own messages. */
function attach(
  { sent, say }: Pick<ReturnType<typeof scripted>, 'sent' | 'say'>,
  client: CdpClient,
  sessionId: string,
) {
  client.send({ id: 5, method: 'Target.attachToTarget', params: { targetId: 'T', flatten: true } })
  const parent = sent.at(-1)?.sessionId ?? ''
  say({ method: 'Target.attachedToTarget', params: { sessionId }, sessionId: parent })
  say({ id: sent.at(-1)?.id ?? 0, result: { sessionId }, sessionId: parent })
}

describe('a client', () => {
  const version = { id: 1, method: 'Browser.getVersion' }

  test('keeps its own ids, and does not see the session around it', async () => {
    const { client: join, sent, say } = scripted()
    const { client, received } = await join('root')
    client.send({ ...version, id: 77 })
    expect(sent.at(-1)).toMatchObject({ method: 'Browser.getVersion', sessionId: 'root' })
    expect(sent.at(-1)?.id).not.toBe(77)
    say({ id: sent.at(-1)?.id ?? 0, result: { product: 'Chrome/1' }, sessionId: 'root' })
    say({ method: 'Target.targetCreated', params: { targetInfo: {} }, sessionId: 'root' })
    expect(received).toEqual([
      { id: 77, result: { product: 'Chrome/1' } },
      { method: 'Target.targetCreated', params: { targetInfo: {} } },
    ])
  })

  test('and another use the same ids at the same time', async () => {
    const { client: join, sent, say } = scripted()
    const [one, other] = [await join('one'), await join('other')]
    one.client.send(version)
    other.client.send(version)
    const [first, second] = sent.slice(-2)
    say({ id: second?.id ?? 0, result: { for: 'other' }, sessionId: 'other' })
    say({ id: first?.id ?? 0, error: { code: -32001, message: 'Session with given id not found.' } })
    expect(one.received).toEqual([{ id: 1, error: { code: -32001, message: 'Session with given id not found.' } }])
    expect(other.received).toEqual([{ id: 1, result: { for: 'other' } }])
  })

  test('sends commands to the pages it attached to, and gets their events', async () => {
    const browser = scripted()
    const { client, received } = await browser.client('root')
    attach(browser, client, 'page')
    client.send({ id: 6, method: 'Page.enable', sessionId: 'page' })
    expect(browser.last()).toMatchObject({ method: 'Page.enable', sessionId: 'page' })
    browser.say({ id: browser.last().id ?? 0, result: {}, sessionId: 'page' })
    browser.say({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'page' })
    expect(received).toEqual([
      { method: 'Target.attachedToTarget', params: { sessionId: 'page' } },
      { id: 5, result: { sessionId: 'page' } },
      { id: 6, result: {}, sessionId: 'page' },
      { method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'page' },
    ])
  })

  test('does not reach sessions of others, nor its own after they ended', async () => {
    const browser = scripted()
    const own = await browser.attached('ours')
    const [one, other] = [await browser.client('one'), await browser.client('other')]
    attach(browser, one.client, 'page')
    const before = browser.sent.length
    const stolen: CdpMessage[] = [
      { id: 1, method: 'Page.enable', sessionId: 'page' },
      { id: 2, method: 'Page.enable', sessionId: own.id },
      { id: 3, method: 'Page.enable', sessionId: 'one' },
      { id: 4, method: 'Page.enable', sessionId: '' },
      { id: 5, method: 'Target.detachFromTarget', params: { sessionId: 'page' } },
    ]
    for (const message of stolen) other.client.send(message)
    await settle()
    expect(browser.sent).toHaveLength(before)
    expect(other.received.map(({ id, error }) => [id, error?.code])).toEqual([1, 2, 3, 4, 5].map((id) => [id, -32001]))

    browser.say({ method: 'Target.detachedFromTarget', params: { sessionId: 'page' }, sessionId: 'one' })
    one.client.send({ id: 9, method: 'Page.enable', sessionId: 'page' })
    await settle()
    expect(one.received.at(-1)).toMatchObject({ id: 9, sessionId: 'page', error: { code: -32001 } })
  })

  test.each([
    'Browser.close',
    'Browser.crash',
    'Browser.crashGpuProcess',
    'Target.sendMessageToTarget',
    'Target.exposeDevToolsProtocol',
  ])('may never call %s', async (method) => {
    const { client: join, sent } = scripted()
    const { client, received } = await join('root', { rejectionOf: () => undefined })
    const before = sent.length
    client.send({ id: 3, method })
    expect(received, 'a client may note what it waits for after it has sent').toEqual([])
    await settle()
    expect(sent).toHaveLength(before)
    expect(received).toEqual([{ id: 3, error: { code: -32000, message: expect.stringMatching(/\.$/) } }])
  })

  test('can be denied further methods', async () => {
    const { client: join, last } = scripted()
    const { client, received } = await join('root', {
      rejectionOf: ({ method }) => (method === 'Browser.setDownloadBehavior' ? 'No downloads here.' : undefined),
    })
    client.send({ id: 1, method: 'Browser.setDownloadBehavior' })
    client.send({ id: 2, method: 'Browser.getVersion' })
    await settle()
    expect(received).toEqual([{ id: 1, error: { code: -32000, message: 'No downloads here.' } }])
    expect(last()).toMatchObject({ method: 'Browser.getVersion' })
  })

  test.each<unknown>([
    {},
    { id: 1 },
    { method: 'Browser.getVersion' },
    { id: '1', method: 'x' },
    { id: 1.5, method: 'x' },
    { id: 1, method: 7 },
  ])('that sends %j gets an error, and others are unaffected', async (message) => {
    const { client: join, sent } = scripted()
    const { client, received } = await join('root')
    const before = sent.length
    client.send(message as CdpMessage)
    await settle()
    expect(sent).toHaveLength(before)
    expect(received).toMatchObject([{ error: { code: -32600 } }])
  })

  test('that leaves affects nobody and gets no more events', async () => {
    const browser = scripted()
    const own = await browser.attached('ours')
    const [one, other] = [await browser.client('one'), await browser.client('other')]
    attach(browser, one.client, 'page')
    const heardBefore = one.received.length
    const closing = one.client.close()
    expect(browser.last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'one' } })
    browser.answer({})
    await closing
    await one.client.close()
    one.client.send(version)
    browser.say({ method: 'Page.loadEventFired', params: {}, sessionId: 'page' })
    expect(one.received).toHaveLength(heardBefore)
    expect(one.ended.mock.calls).toEqual([['closed by the client']])
    expect(other.ended).not.toHaveBeenCalled()

    other.client.send(version)
    expect(browser.last()).toMatchObject({ sessionId: 'other' })
    const asked = own.send('Page.enable', {})
    browser.answer({})
    await expect(asked).resolves.toEqual({})
  })

  test('is notified when the browser ends, or releases it', async () => {
    const browser = scripted()
    const [one, other] = [await browser.client('one'), await browser.client('other')]
    browser.say({ method: 'Target.detachedFromTarget', params: { sessionId: 'one' } })
    expect(one.ended.mock.calls).toEqual([['detached']])
    browser.end('broke')
    expect(other.ended.mock.calls).toEqual([['closed']])
    expect(one.ended).toHaveBeenCalledOnce()
  })
})
