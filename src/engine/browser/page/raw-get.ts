import type { Protocol } from 'devtools-protocol'
import type { BrowsePage, PageResponse } from '../../../contracts/fetch.ts'
import { fail } from '../../../kernel/error.ts'
import type { BrowserVersion } from '../launch/process.ts'
import { emulate, sortHeaders } from '../emulation/emulate.ts'
import { networkError, type ProxyErrorOf, undecoded } from './navigate.ts'
import type { Tab } from './tab.ts'

type RawRequest = Parameters<BrowsePage>[0]
type Paused = Protocol.Fetch.RequestPausedEvent

/** Headers that the browser must set itself; otherwise the response could have an encoding that it does not decode. */
const browserHeaders = new Set(['accept', 'accept-encoding'])
const redirects = new Set([301, 302, 303, 307, 308])

/** Sends one GET request and returns the raw response: no script runs, no redirect is followed. */
export async function rawGet(
  tab: Tab,
  request: RawRequest,
  { version, proxyErrorOf }: { version: BrowserVersion; proxyErrorOf: ProxyErrorOf },
): Promise<PageResponse> {
  const { session } = tab
  const { url, signal, skipTlsVerification } = request
  const { userAgent, cookies, others } = sortHeaders(request.headers, url)
  await emulate(tab, { mobile: false, location: undefined, skipTlsVerification, version, userAgent }, signal)
  if (cookies.length > 0) await session.send('Network.setCookies', { cookies }, signal)
  const sent = others.filter(({ name }) => !browserHeaders.has(name.toLowerCase()))
  const headers = Object.fromEntries(sent.map(({ name, value }) => [name, value]))
  await session.send('Network.setExtraHTTPHeaders', { headers }, signal)
  const { promise: answered, resolve } = Promise.withResolvers<Paused>()
  session.on('Fetch.requestPaused', (paused) => {
    if (paused.responseStatusCode !== undefined) return resolve(paused)
    session.send('Fetch.continueRequest', { requestId: paused.requestId }).catch(() => undefined)
  })
  const patterns = [{ resourceType: 'Document' as const, requestStage: 'Response' as const }]
  await session.send('Fetch.enable', { patterns }, signal)
  const failed = session.send('Page.navigate', { url }, signal).then(({ errorText }) => errorText ?? '')
  const first = await Promise.race([answered, failed])
  if (typeof first === 'string') throw proxyErrorOf(url) ?? networkError(first)
  failed.catch(() => undefined)
  // The browser accepts any bytes as an HTTP/0.9 response, which has no headers, and offers them as a download.
  if (!first.responseHeaders?.length) throw networkError('net::ERR_INVALID_HTTP_RESPONSE')
  const status = first.responseStatusCode ?? 200
  const responseHeaders = joinHeaders(first.responseHeaders)
  const isRedirect = redirects.has(status) && (responseHeaders['location'] ?? '').trim() !== ''
  return {
    url,
    status,
    headers: responseHeaders,
    body: isRedirect ? new Uint8Array() : await bodyOf(tab, first, request),
  }
}

const joinHeaders = (headers: readonly Protocol.Fetch.HeaderEntry[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(headers, ({ name }) => name.toLowerCase())).map(([name, all = []]) => [
      name,
      all.map(({ value }) => value).join(', '),
    ]),
  )

/** Headers that announce a body, with the browser's error for a missing body; `IO.read` reports no error. */
const missingBodyErrors = new Map([
  ['content-encoding', undecoded],
  ['transfer-encoding', 'net::ERR_INVALID_CHUNKED_ENCODING'],
  ['content-length', 'net::ERR_CONTENT_LENGTH_MISMATCH'],
])
const missingBodyError = (headers: readonly Protocol.Fetch.HeaderEntry[]) =>
  headers
    .map(({ name, value }) => (/^(?:identity|0+)$/.test(value) ? undefined : missingBodyErrors.get(name.toLowerCase())))
    .find(Boolean)

/** Reads the body; returns the bytes received if it ends too early. */
async function bodyOf({ session }: Tab, { requestId, responseHeaders = [] }: Paused, { maxBytes, signal }: RawRequest) {
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId }, signal)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: 1_000_000 }, signal)
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) fail('SCRAPE_SITE_ERROR', { message: `The page is larger than ${maxBytes} bytes.` })
    if (!eof) continue
    const fault = size === 0 ? missingBodyError(responseHeaders) : undefined
    if (fault !== undefined) throw networkError(fault)
    return Buffer.concat(chunks)
  }
}
