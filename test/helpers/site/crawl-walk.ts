import http from 'node:http'

export type Got = { url: string; status: number; headers: http.IncomingHttpHeaders; bytes: Buffer }

/** One request to the loopback address, whatever name the URL has. */
export function get(url: string): Promise<Got> {
  const { port, host, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ url, status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
    request.on('error', reject)
  })
}

/** As a browser would: follows redirects, and comes again where it is told to. */
export async function visit(url: string): Promise<Got> {
  let got = await get(url)
  for (let step = 0; step < 10; step++) {
    const { location, 'retry-after': retryAfter } = got.headers
    if (location === undefined && retryAfter === undefined) return got
    got = await get(location === undefined ? got.url : new URL(location, got.url).href)
  }
  return got
}

export const textOf = ({ bytes, headers }: Got) =>
  new TextDecoder(/charset=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8').decode(bytes)
export const titleIn = (got: Got) => /<title>(.*?)<\/title>/.exec(textOf(got))?.[1]

/** What the anchors of a page name, as absolute addresses. */
export function linksOf(got: Got): URL[] {
  if (!got.headers['content-type']?.startsWith('text/html')) return []
  const text = textOf(got)
  const base = new URL(/<base href="(.*?)">/.exec(text)?.[1] ?? '', got.url)
  return [...text.matchAll(/<a href="(.*?)"/g)].flatMap(
    ([, href = '']) => URL.parse(href.replaceAll('&amp;', '&'), base) ?? [],
  )
}

const isPage = ({ pathname }: URL) =>
  !/\.(?:png|jpg|zip|css|js|mp4|woff2)$/i.test(pathname) && pathname !== '/files/download'

/** Every address of a page on the host of the start that links lead to, one for each identity. */
export async function walk(start: string, identity: (url: string) => string): Promise<string[]> {
  const seen = new Map([[identity(start), start]])
  for (const url of seen.values()) {
    const got = await visit(url)
    if (got.headers.location !== undefined) continue
    for (const link of [new URL(got.url), ...linksOf(got)]) {
      if (!/^#!?\//.test(link.hash)) link.hash = ''
      const key = identity(link.href)
      if (link.origin === new URL(start).origin && isPage(link) && !seen.has(key)) seen.set(key, link.href)
    }
  }
  return [...seen.values()]
}
