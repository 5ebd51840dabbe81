import type { Protocol } from 'devtools-protocol'
import type { BrowsePage, PageResponse } from '../../../contracts/fetch.ts'
import { fail } from '../../../kernel/error.ts'
import type { BrowserVersion } from '../launch/process.ts'
import { emulate, sortHeaders } from '../emulation/emulate.ts'
import { networkError, type ProxyErrorOf } from './navigate.ts'
import type { Tab } from './tab.ts'

type RawRequest = Parameters<BrowsePage>[0]
type Paused = Protocol.Fetch.RequestPausedEvent

/** Headers that the browser must set itself; otherwise the response could have an encoding that it does not decode. */
const ofBrowser = new Set(['accept', 'accept-encoding'])
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Sends one GET request from a tab and returns the raw response: nothing is shown, no script runs, no redirect is
 * followed.
 */
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
  const kept = others.filter(({ name }) => !ofBrowser.has(name.toLowerCase()))
  const headers = Object.fromEntries(kept.map(({ name, value }) => [name, value]))
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
  const status = first.responseStatusCode ?? 200
  const page = { url, status, headers: joined(first.responseHeaders ?? []) }
  return { ...page, body: redirects.has(status) ? new Uint8Array() : await bodyOf(tab, first, request) }
}

const joined = (headers: readonly Protocol.Fetch.HeaderEntry[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(headers, ({ name }) => name.toLowerCase())).map(([name, all = []]) => [
      name,
      all.map(({ value }) => value).join(', '),
    ]),
  )

/** Reads the body; returns the bytes received if it ends too early. */
async function bodyOf({ session }: Tab, { requestId }: Paused, { maxBytes, signal }: RawRequest): Promise<Uint8Array> {
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId }, signal)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: 1_000_000 }, signal)
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) fail('SCRAPE_SITE_ERROR', { message: `The page is larger than ${maxBytes} bytes.` })
    if (eof) return Buffer.concat(chunks)
  }
}
