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
