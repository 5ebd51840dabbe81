import { describe, expect, test } from 'vitest'
import { watchTraffic } from '../../src/engine/browser/page/traffic.ts'
import { scripted } from './programs/scripted.ts'

const page = 'target of page'

/** Watches requests that the test reports, with a clock that the test sets. */
async function watched() {
  const browser = scripted()
  const session = await browser.attached('page')
  let now = 0
  const traffic = watchTraffic(session, page, () => now)
  const say = (method: string, params: Record<string, unknown>) => browser.say({ method, params, sessionId: 'page' })
  return {
    traffic,
    pass: (ms: number) => void (now += ms),
    ask: (requestId: string, type: string, url: string, frameId = page) =>
      say('Network.requestWillBeSent', { requestId, type, frameId, loaderId: requestId, request: { url } }),
    answer: (requestId: string, status: number, frameId = page) =>
      say('Network.responseReceived', {
        requestId,
        type: 'Document',
        frameId,
        loaderId: requestId,
        response: { status, url: requestId },
      }),
    show: (loaderId: string, id = page) => say('Page.frameNavigated', { frame: { id, loaderId } }),
    finish: (requestId: string) => say('Network.loadingFinished', { requestId }),
    fail: (requestId: string) => say('Network.loadingFailed', { requestId }),
  }
}

describe('a page is quiet', () => {
  test.each(['Script', 'XHR', 'Fetch', 'Stylesheet', 'Document'])('not while a %s request is pending', async (type) => {
    const { traffic, ask, pass, finish, fail } = await watched()
    ask('1', type, 'http://a.test/1')
    ask('2', type, 'http://a.test/2')
    pass(500)
    expect(traffic.quietForMs()).toBe(0)
    finish('1')
    pass(100)
    expect(traffic.quietForMs()).toBe(0)
    fail('2')
    pass(300)
    expect(traffic.quietForMs()).toBe(300)
  })

  test.each(['Image', 'Media', 'Font', 'Ping', 'WebSocket', 'EventSource', 'Other', 'Prefetch'])(
    'while a %s request is pending',
    async (type) => {
      const { traffic, ask, pass } = await watched()
      pass(200)
      ask('1', type, 'http://a.test/1')
      pass(100)
      expect(traffic.quietForMs()).toBe(300)
    },
  )

  test('not while a request is pending for a URL requested before the last input', async () => {
    const { traffic, ask, pass, finish } = await watched()
    for (const id of ['1', '2', '3', '4']) {
      ask(id, 'Fetch', `http://a.test/api?at=${id}`)
      finish(id)
    }
    traffic.expectRequests()
    ask('5', 'Fetch', 'http://a.test/api?at=5')
    pass(100)
    expect(traffic.quietForMs()).toBe(0)
  })

  test('while it polls, and while a request is pending for two seconds or more', async () => {
    const { traffic, ask, pass, finish } = await watched()
    for (const id of ['1', '2', '3']) {
      ask(id, 'Fetch', `http://a.test/poll?at=${id}`)
      finish(id)
    }
    pass(100)
    ask('4', 'Fetch', 'http://a.test/poll?at=4')
    expect(traffic.quietForMs()).toBe(100)
    ask('5', 'Fetch', 'http://a.test/long')
    pass(1999)
    expect(traffic.quietForMs()).toBe(0)
    pass(1)
    expect(traffic.quietForMs()).toBe(2000)
  })
})

describe('the response of the page', () => {
  test('is the last one shown in the main frame', async () => {
    const { traffic, ask, answer, show } = await watched()
    expect([traffic.document(), traffic.requestedUrl()]).toEqual([undefined, undefined])
    ask('first', 'Document', 'http://a.test/first')
    answer('first', 200)
    show('first')
    ask('frame', 'Document', 'http://a.test/frame', 'another frame')
    answer('frame', 404, 'another frame')
    show('frame', 'another frame')
    expect(traffic.document()).toMatchObject({ status: 200 })
    ask('second', 'Document', 'http://a.test/second')
    answer('second', 500)
    expect(traffic.document()).toMatchObject({ status: 200 })
    show('second')
    expect([traffic.document()?.status, traffic.requestedUrl()]).toEqual([500, 'http://a.test/second'])
  })

  test('is not that of a download', async () => {
    const { traffic, ask, answer, show } = await watched()
    ask('page', 'Document', 'http://a.test/')
    answer('page', 200)
    show('page')
    ask('file', 'Document', 'http://a.test/file.zip')
    answer('file', 206)
    expect(traffic.document()?.status).toBe(200)
  })
})
