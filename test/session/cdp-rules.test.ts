import { describe, expect, test, vi } from 'vitest'
import { createRules } from '../../src/engine/session/cdp-endpoint.ts'

const rulesOf = (reach = {}) => {
  const made = vi.fn()
  return { made, ...createRules(reach, made) }
}
const ruling = (method: string, params = {}) => rulesOf().rule({ id: 1, method, params })

describe('a client of a session', () => {
  test.each([
    ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }],
    ['Target.createTarget', { url: 'about:blank' }],
    ['Target.closeTarget', { targetId: 'T' }],
    ['Page.navigate', { url: 'https://a.example/' }],
    ['Fetch.fulfillRequest', { requestId: 'R', responseCode: 200 }],
    ['Network.setCookies', { cookies: [] }],
    ['Debugger.setBreakpointByUrl', { url: 'webpack://a/b.ts', lineNumber: 1 }],
    ['WebMCP.enable', {}],
  ])('may call %s %j', (method, params) => {
    expect(ruling(method, params)).toEqual({ kind: 'pass', message: { id: 1, method, params } })
  })

  test.each([{}, { filter: [{}] }, { filter: [{ type: 'browser' }] }])('sees pages only, with %j', (params) => {
    const message = { id: 1, method: 'Target.getTargets', params: { filter: [{ type: 'page' }] } }
    expect(ruling('Target.getTargets', params)).toEqual({ kind: 'pass', message })
  })

  test.each([
    ['Browser.crash', {}],
    ['SystemInfo.getInfo', {}],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'] }],
    ['Target.disposeBrowserContext', { browserContextId: 'of another' }],
    ['Target.createTarget', { url: 'file:///etc/passwd' }],
    ['Page.navigate', { url: 'view-source:file:///etc/passwd' }],
    ['Page.navigate', { url: 'fi\nle:///etc/passwd' }],
    ['Page.navigate', { url: '\u0001file:///etc/passwd' }],
    ['Page.navigate', { url: 'about:settings' }],
    ['Page.navigate', { url: 'C:\\secret.txt' }],
    ['Fetch.continueRequest', { requestId: 'R', url: 'file:///etc/passwd' }],
    ['Network.loadNetworkResource', { url: 'chrome://version' }],
    ['Tethering.bind', { port: 1 }],
  ])('is refused %s %j', (method, params) => {
    expect(ruling(method, params)).toEqual({ kind: 'refuse', why: expect.stringMatching(/\.$/) })
  })

  test.each(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])(
    'gets a confirmation that %s was done, without it being done',
    (method) => {
      expect(ruling(method, { behavior: 'allow', downloadPath: '/root' })).toEqual({ kind: 'answer', result: {} })
    },
  )

  test('that ends the browser only disconnects', () => {
    expect(ruling('Browser.close')).toEqual({ kind: 'leave' })
  })
})

const create = (params = {}) => ({ id: 1, method: 'Target.createBrowserContext', params })

describe('a context of its own', () => {
  test('is removed with its client, and has no other access to the network', () => {
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
  ])('%j is refused', (params) => {
    expect(rulesOf().rule(create(params))).toMatchObject({ kind: 'refuse' })
  })

  test('is visible once created, and may be disposed of by its creator only', () => {
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

  test('cannot be created in a browser that others use', () => {
    expect(rulesOf({ contextId: 'own' }).rule(create())).toMatchObject({ kind: 'refuse' })
  })
})
