import type { CdpMessage } from '../browser/cdp/shapes.ts'

/** What code or another client of a session may reach: its browser context and the targets in it. */
export type Reach = {
  /** Undefined when the session has the browser to itself and uses its default context. */
  contextId?: string | undefined
  /** Whether a target belongs to the session; omitted when it has the browser to itself. */
  isOwnTarget?(targetId: string): boolean
}
type Params = NonNullable<CdpMessage['params']>

/** CDP domains that stay within pages. All others reach files, ports, devices or programs of the machine. */
const domains = new Set(
  (
    'Accessibility Animation Audits Browser CSS CacheStorage Console DOM DOMDebugger DOMSnapshot DOMStorage Debugger Emulation ' +
    'EventBreakpoints Fetch HeadlessExperimental HeapProfiler IO IndexedDB Input Inspector LayerTree Log Media Memory Network ' +
    'Overlay Page Performance PerformanceTimeline Profiler Runtime Schema Security ServiceWorker Storage Target Tracing WebAudio ' +
    'WebAuthn WebMCP'
  ).split(' '),
)

/** Methods of these domains that reach beyond pages, and why they are refused. */
const never: Readonly<Record<string, string>> = {
  'Browser.close': 'The browser belongs to the session.',
  'Browser.crash': 'The browser belongs to the session.',
  'Browser.crashGpuProcess': 'The browser belongs to the session.',
  'Browser.executeBrowserCommand': 'The browser belongs to the session.',
  'Browser.getBrowserCommandLine': 'The command line of the browser is not for its pages.',
  'Browser.setDownloadBehavior': 'Where downloads go is for the session to say.',
  'Page.setDownloadBehavior': 'Where downloads go is for the session to say.',
  'DOM.setFileInputFiles': 'Files of the machine are not for pages.',
  'Target.createBrowserContext': 'Code stays in the browser context of its session.',
  'Target.disposeBrowserContext': 'Code stays in the browser context of its session.',
  'Target.exposeDevToolsProtocol': 'Pages may not drive the browser.',
  'Target.openDevTools': 'Pages may not drive the browser.',
  'Target.sendMessageToTarget': 'Attach with flatten: true and send messages with a sessionId.',
  'Target.setRemoteLocations': 'Code has no network of its own.',
}

/** Why a call of session code is refused; undefined = allowed. */
export function refusal(message: CdpMessage, reach: Reach): string | undefined {
  const { method = '' } = message
  const params = message.params ?? {}
  if (!domains.has(method.split('.', 1)[0]!)) return 'This domain is not open here.'
  if (Object.hasOwn(never, method)) return never[method]
  return ofAddress(method, params) ?? ofFiles(method, params) ?? ofContext(message, reach) ?? ofTarget(params, reach)
}

export const allowsMethod = (method: string, params: Params, reach: Reach): boolean =>
  refusal({ method, params }, reach) === undefined

/** Wherever a call takes an address: pages come over the network, not from files or the browser's own pages. */
function ofAddress(method: string, { url }: Params): string | undefined {
  // To the debugger an address is only the name of a script.
  if (typeof url !== 'string' || url === '' || method.startsWith('Debugger.')) return undefined
  return isOpenAddress(url) ? undefined : 'Only http, https, about:blank, data and blob addresses can be opened.'
}

/** Read as browsers read it: what is before it and line breaks within it do not count (URL Standard, basic URL parser). */
function isOpenAddress(text: string): boolean {
  const address = text.replace(/[\t\n\r]/g, '').replace(unseen, '')
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(address) ?? []
  switch (scheme.toLowerCase()) {
    case 'view-source':
      return isOpenAddress(rest)
    case 'about':
      // All others are names for pages of the browser itself.
      return /^(?:blank|srcdoc)(?:[?#]|$)/i.test(rest)
    default:
      return openSchemes.has(scheme.toLowerCase())
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const unseen = /^[\0-\x20]+/
const openSchemes = new Set(['http', 'https', 'ws', 'wss', 'data', 'blob'])

/** A drag may carry files by their paths. */
function ofFiles(method: string, { data }: Params): string | undefined {
  const files = method === 'Input.dispatchDragEvent' ? (data as { files?: unknown } | undefined)?.files : undefined
  return files === undefined ? undefined : never['DOM.setFileInputFiles']
}

/** What is said to the browser itself is about its default context, unless it names another. */
const perContext = /^(?:Target\.createTarget$|Target\.attachToBrowserTarget$|Storage\.|Browser\.\w+Permissions?$)/

function ofContext({ method = '', params, sessionId }: CdpMessage, { contextId }: Reach): string | undefined {
  if (contextId === undefined) return undefined
  const named = params?.['browserContextId']
  const isAboutDefault = named === undefined && sessionId === undefined && perContext.test(method)
  const isOwn = named === undefined ? !isAboutDefault : named === contextId
  return isOwn ? undefined : never['Target.createBrowserContext']
}

function ofTarget({ targetId }: Params, { isOwnTarget }: Reach): string | undefined {
  return typeof targetId !== 'string' || !isOwnTarget || isOwnTarget(targetId)
    ? undefined
    : 'The target is not in the session.'
}

/** Playwright and agent-browser insist on these calls, which the session does not leave to code. */
const ignored = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior', 'Browser.close'])

/** An empty success for a call that would be refused and that clients cannot do without; undefined for all others. */
export function localAnswer({ id, method = '', sessionId }: CdpMessage): CdpMessage | undefined {
  if (!ignored.has(method)) return undefined
  return { ...(id !== undefined && { id }), result: {}, ...(sessionId !== undefined && { sessionId }) }
}
