import type { Protocol } from 'devtools-protocol'
import type { Tab } from '../page/tab.ts'

/** Headers of the caller by how the browser sends them: none may reach another site than the requested one. */
export type RequestHeaders = {
  userAgent?: string
  cookies: Protocol.Network.CookieParam[]
  others: { name: string; value: string }[]
}

/** The browser sets these itself. */
const connectionHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*)$/i

export function sortHeaders(headers: Readonly<Record<string, string>>, url: string): RequestHeaders {
  const entries = Object.entries(headers).filter(([name]) => !connectionHeaders.test(name))
  const valueOf = (header: string) => entries.find(([name]) => name.toLowerCase() === header)?.[1]
  const userAgent = valueOf('user-agent')
  return {
    ...(userAgent !== undefined && { userAgent }),
    cookies: cookiesIn(valueOf('cookie') ?? '', url),
    others: entries
      .filter(([name]) => !/^(?:user-agent|cookie)$/i.test(name))
      .map(([name, value]) => ({ name, value })),
  }
}

function cookiesIn(header: string, url: string): Protocol.Network.CookieParam[] {
  return header.split(';').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return name.trim() === '' ? [] : [{ name: name.trim(), value: rest.join('=').trim(), url: new URL('/', url).href }]
  })
}

/** Sends cookies and headers with requests to the origin of the page only. */
export async function sendHeaders(
  { session }: Tab,
  { cookies, others }: RequestHeaders,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  if (cookies.length > 0) await session.send('Network.setCookies', { cookies }, signal)
  if (others.length === 0) return
  const { origin } = new URL(url)
  const names = new Set(others.map(({ name }) => name.toLowerCase()))
  // Every hop of a redirect is paused again, without the headers added to the hop before.
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }))
    const headers = [...own.filter(({ name }) => !names.has(name.toLowerCase())), ...others]
    const added = URL.parse(request.url)?.origin === origin ? { headers } : {}
    session.send('Fetch.continueRequest', { requestId, ...added }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*` }] }, signal)
}
