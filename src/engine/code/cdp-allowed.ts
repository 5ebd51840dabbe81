import type { CdpMessage } from '../browser/cdp/cdp-wire.ts'
import { withinPages } from './cdp-methods.ts'

/** Scope of code or another client of a session: its browser context and the targets in it. */
export type Reach = {
  /** Undefined if the session has its own browser and uses its default context. */
  contextId?: string | undefined
  /** Returns true if a target belongs to the session; omitted if the session has its own browser. */
  isOwnTarget?(targetId: string): boolean
}
type Params = NonNullable<CdpMessage['params']>

/** Methods that stay within pages. An allowlist, because a newer browser may offer any other method. */
const allowed = new Set(
  Object.entries(withinPages).flatMap(([domain, [, methods]]) =>
    methods.split(/\s+/).map((name) => `${domain}.${name}`),
  ),
)

/** Methods of open domains that affect more than pages, with the reason for refusing them. */
export const refusedMethods: Readonly<Record<string, string>> = {
  'Browser.addMockCamera': 'Devices are not for pages.',
  'Browser.addPrivacySandboxEnrollmentOverride': 'The settings of the browser are for the session to choose.',
  'Browser.close': 'The browser belongs to the session.',
  'Browser.crash': 'The browser belongs to the session.',
  'Browser.crashGpuProcess': 'The browser belongs to the session.',
  'Browser.executeBrowserCommand': 'The browser belongs to the session.',
  'Browser.getBrowserCommandLine': 'The command line of the browser is not for its pages.',
  'Browser.getHistogram': 'What the browser counts about itself is not for its pages.',
  'Browser.getHistograms': 'What the browser counts about itself is not for its pages.',
  'Browser.setDockTile': 'The desktop of the machine is not for pages.',
  'Browser.setDownloadBehavior': 'Where downloads go is for the session to say.',
  'DOM.getFileInfo': 'Paths of the machine are not for pages.',
  'DOM.setFileInputFiles': 'Files of the machine are not for pages.',
  'Page.addCompilationCache': 'The browser trusts compiled code, so it takes none from others.',
  'Page.setDownloadBehavior': 'Where downloads go is for the session to say.',
  'Storage.overrideQuotaForOrigin': 'The disk of the machine is not for pages to fill.',
  'Target.createBrowserContext': 'Code stays in the browser context of its session.',
  'Target.disposeBrowserContext': 'Code stays in the browser context of its session.',
  'Target.exposeDevToolsProtocol': 'Pages may not drive the browser.',
  'Target.getDevToolsTarget': 'Pages may not drive the browser.',
  'Target.openDevTools': 'Pages may not drive the browser.',
  'Target.sendMessageToTarget': 'Attach with flatten: true and send messages with a sessionId.',
  'Target.setRemoteLocations': 'Code has no network of its own.',
}

/** Domains that affect more than pages, or that concern the browser itself, with the reason for refusing them. */
export const closedDomains: Readonly<Record<string, string>> = {
  Ads: 'What the browser counts as advertisement is not for its pages.',
  Autofill: 'Names, addresses and cards come from the browser, not from a page.',
  BackgroundService: 'It records what pages of other sessions left in the profile.',
  BluetoothEmulation: 'Devices are not for pages.',
  Cast: 'Other devices in the network are not for pages.',
  CrashReportContext: 'Crash reports are about the browser.',
  DeviceAccess: 'Devices are not for pages.',
  DigitalCredentials: 'Wallets of the machine are not for pages.',
  Extensions: 'An extension may do more than a page.',
  FedCm: 'Accounts of the browser are not for its pages.',
  FileSystem: 'Files of the machine are not for pages.',
  FindInPage: 'It belongs to the window of the browser.',
  PWA: 'An installed app may do more than a page.',
  Preload: 'What the browser loads ahead is not for its pages.',
  SmartCardEmulation: 'Devices are not for pages.',
  SystemInfo: 'The machine is not for pages.',
  Tethering: 'Ports of the machine are not for pages.',
}

/** Methods that reveal data of all pages of a browser, which a session may share with others. */
const ofWholeBrowser = /^(?:Tracing\.|Memory\.get(?:AllTime|Browser)SamplingProfile$)/

/** Returns the reason for refusing a call of session code; undefined if it is allowed. */
export function refusal(message: CdpMessage, reach: Reach): string | undefined {
  const { method = '' } = message
  const params = message.params ?? {}
  if (!allowed.has(method)) return whyNot(method)
  return ofAddress(method, params) ?? ofFiles(method, params) ?? ofContext(message, reach) ?? ofTarget(params, reach)
}

function whyNot(method: string): string {
  const [domain = ''] = method.split('.', 1)
  if (Object.hasOwn(refusedMethods, method)) return refusedMethods[method]!
  return Object.hasOwn(closedDomains, domain) ? closedDomains[domain]! : 'This method is not known here.'
}

/** Checks the URL of any call: pages are loaded over the network, not from files or the browser's own pages. */
function ofAddress(method: string, { url }: Params): string | undefined {
  // To a debugger, a URL is only the name of a script or a part of it.
  if (typeof url !== 'string' || url === '' || /^(?:DOM)?Debugger\./.test(method)) return undefined
  return isOpenAddress(url) ? undefined : 'Only http, https, about:blank, data and blob addresses can be opened.'
}

/** Parses like a browser: leading control characters and line breaks are ignored (URL Standard, basic URL parser). */
function isOpenAddress(text: string): boolean {
  const address = text.replace(/[\t\n\r]/g, '').replace(leadingControls, '')
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(address) ?? []
  switch (scheme.toLowerCase()) {
    case 'view-source':
      return isOpenAddress(rest)
    case 'about':
      // All other about: URLs are pages of the browser itself.
      return /^(?:blank|srcdoc)(?:[?#]|$)/i.test(rest)
    default:
      return openSchemes.has(scheme.toLowerCase())
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const leadingControls = /^[\0-\x20]+/
const openSchemes = new Set(['http', 'https', 'ws', 'wss', 'data', 'blob'])

/** A drag event may contain files by path. */
function ofFiles(method: string, { data }: Params): string | undefined {
  const files = method === 'Input.dispatchDragEvent' ? (data as { files?: unknown } | undefined)?.files : undefined
  return files === undefined ? undefined : refusedMethods['DOM.setFileInputFiles']
}

/** Browser-level calls that apply to the default context unless they name another one. */
const perContext = /^(?:Target\.createTarget$|Target\.attachToBrowserTarget$|Storage\.|Browser\.\w+Permissions?$)/

/** Adds the session's context to a call that would otherwise apply to the default context. */
export const inOwnContext = (message: CdpMessage, contextId: string): CdpMessage =>
  message.sessionId === undefined && perContext.test(message.method ?? '')
    ? { ...message, params: { ...message.params, browserContextId: message.params?.['browserContextId'] ?? contextId } }
    : message

function ofContext({ method = '', params, sessionId }: CdpMessage, { contextId }: Reach): string | undefined {
  if (contextId === undefined) return undefined
  if (ofWholeBrowser.test(method)) return 'Others use this browser too.'
  const named = params?.['browserContextId']
  const isAboutDefault = named === undefined && sessionId === undefined && perContext.test(method)
  const isOwn = named === undefined ? !isAboutDefault : named === contextId
  return isOwn ? undefined : refusedMethods['Target.createBrowserContext']
}

function ofTarget({ targetId }: Params, { isOwnTarget }: Reach): string | undefined {
  return typeof targetId !== 'string' || !isOwnTarget || isOwnTarget(targetId)
    ? undefined
    : 'The target is not in the session.'
}
