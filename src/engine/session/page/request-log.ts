import type { Protocol } from 'devtools-protocol'
import { proxyStatusName } from '../../net/proxy/forward-proxy.ts'
import type { Session } from '../../browser/cdp/session.ts'

/** A request of a page. `name` is short and never reused in its tab: `r1`, `r2`. */
export type PageRequest = {
  readonly name: string
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** Chromium's kind of resource: Document, Fetch, XHR, Image … */
  readonly type: string
  readonly postData?: string
  status?: number
  mimeType?: string
  /** Why no answer came, in Chromium's words without `net::ERR_`. */
  failure?: string
}
/** The requests of a page and of its frames of the same process, the latest. */
export type RequestLog = {
  /** Those that failed, or were answered with an error, since the last call. */
  takeFailed(): PageRequest[]
  /** Those whose URL contains this text, in any case. */
  matching(text: string): PageRequest[]
  find(name: string): PageRequest | undefined
}

const mostRequests = 500
const mostPostData = 4000

/** Needs a session whose Network domain is enabled. What our own proxy keeps away, such as ads, has not failed. */
export function watchRequestLog(session: Session): RequestLog {
  const latest = new Map<string, PageRequest>()
  let failed: PageRequest[] = []
  let count = 0

  const fail = (request: PageRequest | undefined, why: Pick<PageRequest, 'status' | 'failure'>) => {
    if (request) failed = [...failed, Object.assign(request, why)].slice(-mostRequests)
  }
  const answered = (requestId: string, { status, mimeType, headers }: Protocol.Network.Response) => {
    const request = latest.get(requestId)
    if (request) Object.assign(request, { status, mimeType })
    const isOurs = Object.entries(headers).some(
      ([name, value]) => name.toLowerCase() === 'proxy-status' && value === proxyStatusName,
    )
    if (status >= 400 && !isOurs) fail(request, { status })
  }

  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    if (/^(?:data|blob):/.test(request.url)) return
    if (redirectResponse) answered(requestId, redirectResponse)
    const { method, url, postData } = request
    const sent = postData === undefined ? {} : { postData: postData.slice(0, mostPostData) }
    // Those of a redirect share an id; the last is told.
    latest.delete(requestId)
    latest.set(requestId, { name: `r${++count}`, requestId, method, url, type, ...sent })
    const [oldest] = latest.keys()
    if (latest.size > mostRequests && oldest !== undefined) latest.delete(oldest)
  })
  session.on('Network.responseReceived', ({ requestId, response }) => answered(requestId, response))
  session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    // The latter is what a browser makes of a tunnel that we do not open.
    if ((canceled && blockedReason === undefined) || errorText === 'net::ERR_SOCKS_CONNECTION_FAILED') return
    const why = blockedReason === undefined ? errorText.replace(/^net::ERR_/, '') : `blocked: ${blockedReason}`
    fail(latest.get(requestId), { failure: why })
  })

  return {
    takeFailed() {
      const taken = failed
      failed = []
      return [...new Set(taken)]
    },
    matching: (text) => Array.from(latest.values()).filter(({ url }) => url.toLowerCase().includes(text.toLowerCase())),
    find: (name) => Array.from(latest.values()).find((each) => each.name === name),
  }
}
