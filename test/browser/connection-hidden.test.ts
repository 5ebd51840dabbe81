import { describe, expect, test } from 'vitest'
import { scripted, settle } from './programs/scripted.ts'

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
    expect(last()).toMatchObject({
      method: 'Target.detachFromTarget',
      params: { sessionId: 'S' },
      sessionId: 'root',
    })
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
  test('is not attached to the targets of others', async () => {
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
  ])('%s lists its targets', async (contextId, targetInfos) => {
    const { client: join, say, last } = scripted()
    const { client, received } = await join('root', { contextId })
    client.send({ id: 1, method: 'Target.getTargets' })
    say({ id: last().id!, result: { targetInfos: [target('own'), target('other')] }, sessionId: 'root' })
    expect(received).toEqual([{ id: 1, result: { targetInfos } }])
  })
})
