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

  test('cannot access sessions of others, nor its own ended ones', async () => {
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
    expect(received, 'no answer arrives before `send` returns').toEqual([])
    await settle()
    expect(sent).toHaveLength(before)
    expect(received).toEqual([{ id: 3, error: { code: -32000, message: expect.stringMatching(/\.$/) } }])
  })

  test('that closes receives no more events, and does not affect others', async () => {
    const browser = scripted()
    const own = await browser.attached('ours')
    const [one, other] = [await browser.client('one'), await browser.client('other')]
    attach(browser, one.client, 'page')
    const countBefore = one.received.length
    const closing = one.client.close()
    expect(browser.last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'one' } })
    browser.answer({})
    await closing
    await one.client.close()
    one.client.send(version)
    browser.say({ method: 'Page.loadEventFired', params: {}, sessionId: 'page' })
    expect(one.received).toHaveLength(countBefore)
    expect(one.ended.mock.calls).toEqual([['closed by the client']])
    expect(other.ended).not.toHaveBeenCalled()

    other.client.send(version)
    expect(browser.last()).toMatchObject({ sessionId: 'other' })
    const pending = own.send('Page.enable', {})
    browser.answer({})
    await expect(pending).resolves.toEqual({})
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

const pages = [
  { type: 'browser_ui', url: 'about:blank' },
  { type: 'page', url: 'chrome://settings/' },
  { type: 'page', url: 'devtools://devtools/inspector.html' },
  { type: 'page', url: 'file:///etc/passwd' },
]

describe.each(pages)('a client cannot attach to $type $url', (targetInfo) => {
  test('by request', async () => {
    const { client: join, say, last, sent } = scripted()
    const { client, received } = await join('root')
    client.send({ id: 1, method: 'Target.attachToTarget', params: { targetId: 'T', flatten: true } })
    const { id } = last()
    say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo }, sessionId: 'root' })
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'S' }, sessionId: 'root' })
    say({ id: id!, result: { sessionId: 'S' }, sessionId: 'root' })
    say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' }, sessionId: 'root' })
    expect(received).toEqual([{ id: 1, error: { code: -32602, message: 'No target with given id found' } }])
    const before = sent.length
    client.send({ id: 2, method: 'Runtime.evaluate', params: {}, sessionId: 'S' })
    await settle()
    expect(sent).toHaveLength(before)
    expect(received.at(-1)).toMatchObject({ id: 2, error: { code: -32001 } })
  })

  test('automatically when it is created', async () => {
    const { client: join, say, last } = scripted()
    const { received } = await join('root')
    say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo }, sessionId: 'root' })
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'S' } })
    say({ method: 'Runtime.executionContextCreated', params: {}, sessionId: 'S' })
    expect(received).toEqual([])
  })
})

const target = (browserContextId: string) => ({ targetId: browserContextId, type: 'page', url: '', browserContextId })

describe('a client restricted to one context', () => {
  test('is not attached to targets of other contexts', async () => {
    const { client: join, say, last } = scripted()
    const { received } = await join('root', { contextId: 'own' })
    const attached = (sessionId: string, browserContextId: string) =>
      say({
        method: 'Target.attachedToTarget',
        params: { sessionId, targetInfo: target(browserContextId) },
        sessionId: 'root',
      })
    attached('S', 'own')
    attached('T', 'other')
    expect(received).toMatchObject([{ params: { sessionId: 'S' } }])
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'T' } })
  })

  test.each(['Target.targetCreated', 'Target.targetInfoChanged'])('gets no %s for other targets', async (method) => {
    const { client: join, say } = scripted()
    const { received } = await join('root', { contextId: 'own' })
    for (const id of ['other', 'own']) say({ method, params: { targetInfo: target(id) }, sessionId: 'root' })
    expect(received).toEqual([{ method, params: { targetInfo: target('own') } }])
  })

  test.each([
    ['own', [target('own')]],
    [undefined, [target('own'), target('other')]],
  ])('(%s) lists only targets of its context, if it has one', async (contextId, targetInfos) => {
    const { client: join, say, last } = scripted()
    const { client, received } = await join('root', { contextId })
    client.send({ id: 1, method: 'Target.getTargets' })
    say({ id: last().id!, result: { targetInfos: [target('own'), target('other')] }, sessionId: 'root' })
    expect(received).toEqual([{ id: 1, result: { targetInfos } }])
  })
})
