import type { CookieParam } from '../cdp/shapes.ts'
import type { Tab } from '../page/tab.ts'

/** Headers of the caller in the browser's own terms, because none of them may reach another site than the one asked for. */
export type SentHeaders = { userAgent?: string; cookies: CookieParam[]; others: { name: string; value: string }[] }

/** The connection is the browser's own affair. */
const ofConnection = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*)$/i

export function sortHeaders(headers: Readonly<Record<string, string>>, url: string): SentHeaders {
  const entries = Object.entries(headers).filter(([name]) => !ofConnection.test(name))
  const named = (wanted: string) => entries.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const userAgent = named('user-agent')
  return {
    ...(userAgent !== undefined && { userAgent }),
    cookies: cookiesIn(named('cookie') ?? '', url),
    others: entries
      .filter(([name]) => !/^(?:user-agent|cookie)$/i.test(name))
      .map(([name, value]) => ({ name, value })),
  }
}

function cookiesIn(header: string, url: string): CookieParam[] {
  return header.split(';').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return name.trim() === '' ? [] : [{ name: name.trim(), value: rest.join('=').trim(), url: new URL('/', url).href }]
  })
}

/** Sends cookies and headers with requests to the site of the page, and with no others. */
export async function sendHeaders(
  { session }: Tab,
  { cookies, others }: SentHeaders,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  if (cookies.length > 0) await session.send('Network.setCookies', { cookies }, signal)
  if (others.length === 0) return
  const { origin } = new URL(url)
  const names = new Set(others.map(({ name }) => name.toLowerCase()))
  // Each hop of a redirect is paused anew, and what was added to the one before is gone by then.
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }))
    const headers = [...own.filter(({ name }) => !names.has(name.toLowerCase())), ...others]
    const added = URL.parse(request.url)?.origin === origin ? { headers } : {}
    session.send('Fetch.continueRequest', { requestId, ...added }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*` }] }, signal)
}
