import { describe, expect, test, vi } from 'vitest'
import { createRules } from '../../src/engine/session/cdp-endpoint.ts'

const rulesOf = (reach = {}) => {
  const made = vi.fn()
  return { made, ...createRules(reach, made) }
}
const ruling = (method: string, params = {}) => rulesOf().rule({ id: 1, method, params })

describe('a client of a session', () => {
  test('may make the calls that code may make', () => {
    const [method, params] = ['Target.createTarget', { url: 'about:blank' }]
    expect(ruling(method, params)).toEqual({ kind: 'pass', message: { id: 1, method, params } })
  })

  test.each([{}, { filter: [{}] }, { filter: [{ type: 'browser' }] }])('sees pages only, with %j', (params) => {
    const message = { id: 1, method: 'Target.getTargets', params: { filter: [{ type: 'page' }] } }
    expect(ruling('Target.getTargets', params)).toEqual({ kind: 'pass', message })
  })

  test.each([
    ['Browser.crash', {}],
    ['Target.disposeBrowserContext', { browserContextId: 'of another' }],
    ['Target.createTarget', { url: 'file:///etc/passwd' }],
    ['Debugger.openLater', { url: 'file:///etc/passwd' }],
  ])('is refused %s %j', (method, params) => {
    expect(ruling(method, params)).toEqual({ kind: 'refuse', why: expect.stringMatching(/\.$/) })
  })

  test.each(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])(
    'gets a confirmation of %s, which has no effect',
    (method) => {
      expect(ruling(method, { behavior: 'allow', downloadPath: '/root' })).toEqual({ kind: 'answer', result: {} })
    },
  )

  test('is refused a method that is not text', () => {
    const method = ['Runtime.evaluate'] as unknown as string
    expect(ruling(method)).toEqual({ kind: 'refuse', why: 'This method is not known here.' })
  })

  test('is only disconnected when it closes the browser', () => {
    expect(ruling('Browser.close')).toEqual({ kind: 'leave' })
  })
})

const create = (params = {}) => ({ id: 1, method: 'Target.createBrowserContext', params })

describe('a context that a client creates', () => {
  test('is removed with its client, and uses the network of the session', () => {
    expect(rulesOf().rule(create({ disposeOnDetach: false, unknown: 1 }))).toMatchObject({
      kind: 'pass',
      message: { params: { disposeOnDetach: true } },
    })
    expect(rulesOf().rule(create({ proxyServer: '', proxyBypassList: '' }))).toMatchObject({ kind: 'pass' })
  })

  test.each([
    { proxyServer: 'direct://' },
    { proxyServer: 'http://127.0.0.1:1' },
    { proxyBypassList: '*' },
    { originsWithUniversalNetworkAccess: ['https://a.example'] },
  ])('is refused with %j', (params) => expect(rulesOf().rule(create(params))).toMatchObject({ kind: 'refuse' }))

  test('is reported once it exists, and may be removed by its creator only', () => {
    const { rule, observe, made } = rulesOf()
    const dispose = { id: 2, method: 'Target.disposeBrowserContext', params: { browserContextId: 'C' } }
    observe({ id: 1, result: { browserContextId: 'C' } })
    expect([rule(dispose).kind, made.mock.calls]).toEqual(['refuse', []])
    rule(create())
    observe({ method: 'Target.targetCreated', params: {} })
    observe({ id: 1, sessionId: 'other', result: { browserContextId: 'C' } })
    observe({ id: 1, result: { browserContextId: 'C' } })
    observe({ id: 1, result: { browserContextId: 'D' } })
    expect([rule(dispose).kind, made.mock.calls]).toEqual(['pass', [['C']]])
  })

  test('is refused in a browser that others use', () => {
    expect(rulesOf({ contextId: 'own' }).rule(create())).toMatchObject({ kind: 'refuse' })
  })
})
