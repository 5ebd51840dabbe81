import { describe, expect, test } from 'vitest'
import { type Reach, refusal } from '../../../src/engine/code/cdp-allowed.ts'

const allowsMethod = (method: string, params: object, reach: Reach) =>
  refusal({ method, params: { ...params } }, reach) === undefined

test.each([
  ['Page.navigate', { url: 'https://a.example/' }],
  ['Page.navigate', { url: 'about:blank' }],
  ['Page.navigate', { url: 'view-source:https://a.example/' }],
  ['Target.createTarget', { url: '' }],
  ['Target.createTarget', { url: 'about:blank', browserContextId: 'own' }],
  ['Runtime.evaluate', { expression: '1' }],
  ['Storage.getCookies', { browserContextId: 'own' }],
  ['Network.getCookies', { urls: ['https://a.example/'] }],
  ['Input.dispatchDragEvent', { data: { items: [] } }],
  ['Target.closeTarget', { targetId: 'mine' }],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }],
  ['Fetch.fulfillRequest', { requestId: 'R', responseCode: 200 }],
  ['Network.setCookies', { cookies: [] }],
  ['Debugger.setBreakpointByUrl', { url: 'webpack://a/b.ts', lineNumber: 1 }],
  ['WebMCP.enable', {}],
])('code may call %s %j', (method, params) => {
  expect(allowsMethod(method, params, { contextId: 'own', isOwnTarget: (id) => id === 'mine' })).toBe(
    method !== 'Target.createTarget' || 'browserContextId' in params,
  )
  expect(allowsMethod(method, params, {})).toBe(true)
})

describe('code may not', () => {
  test.each([
    ['Browser.close', {}],
    ['Browser.crash', {}],
    ['Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/root' }],
    ['Page.setDownloadBehavior', { behavior: 'allow', downloadPath: '/root' }],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'] }],
    ['Input.dispatchDragEvent', { data: { files: ['/etc/passwd'] } }],
    ['Page.navigate', { url: 'file:///etc/passwd' }],
    ['Page.navigate', { url: ' FILE:///etc/passwd' }],
    ['Page.navigate', { url: 'view-source:file:///etc/passwd' }],
    ['Page.navigate', { url: 'fi\nle:///etc/passwd' }],
    ['Page.navigate', { url: '\u0001file:///etc/passwd' }],
    ['Page.navigate', { url: 'about:settings' }],
    ['Page.navigate', { url: 'chrome://settings' }],
    ['Page.navigate', { url: 'C:\\secret.txt' }],
    ['Fetch.continueRequest', { requestId: 'R', url: 'file:///etc/passwd' }],
    ['Target.createTarget', { url: 'devtools://devtools' }],
    ['Network.loadNetworkResource', { url: 'file:///etc/passwd' }],
    ['Target.createBrowserContext', { proxyServer: 'http://other' }],
    ['Target.disposeBrowserContext', { browserContextId: 'own' }],
    ['Target.exposeDevToolsProtocol', {}],
    ['Target.setRemoteLocations', {}],
    ['Tethering.bind', { port: 1 }],
    ['SystemInfo.getInfo', {}],
    ['Extensions.loadUnpacked', { path: '/' }],
    ['Nothing.known', {}],
  ])('call %s %j', (method, params) => expect(allowsMethod(method, params, {})).toBe(false))

  test('reach the contexts and targets of others', () => {
    const reach = { contextId: 'own', isOwnTarget: (id: string) => id === 'mine' }
    expect(allowsMethod('Target.createTarget', { url: '', browserContextId: 'other' }, reach)).toBe(false)
    expect(allowsMethod('Target.createTarget', { url: '' }, reach)).toBe(false)
    expect(allowsMethod('Storage.getCookies', { browserContextId: 'other' }, reach)).toBe(false)
    expect(allowsMethod('Storage.getCookies', {}, reach)).toBe(false)
    expect(allowsMethod('Target.attachToBrowserTarget', {}, reach)).toBe(false)
    expect(allowsMethod('Target.attachToTarget', { targetId: 'theirs', flatten: true }, reach)).toBe(false)
  })
})
