/**
 * Host names that the site distinguishes; any other, including `www.site.test`, `127.0.0.1` and `localhost`, is
 * `site.test`.
 */
const hosts = ['site.test', 'docs.site.test', 'other.test'] as const
export type CrawlHost = (typeof hosts)[number]

/**
 * A link as written in a page. `{origin}` stands for the origin of the request, `{secure}` for the same over https,
 * `{www}`, `{sub}` and `{other}` for the other host names of the server.
 */
export type SiteLink = { href: string; place: 'nav' | 'main' | 'footer'; rel?: string }

export type HtmlAnswer = {
  kind: 'html'
  status: number
  links: readonly SiteLink[]
  /** URL of `<base href>`. */
  base?: string
  /** Encoding of the page, declared in the header; UTF-8 by default. */
  charset?: string
  /** Amount of text before the links. */
  padBytes?: number
  waitMs?: number
  /** Status of the first visit, with Retry-After. */
  busyFirst?: 429 | 503
  /** The server sends an empty frame, and a script writes its content. */
  shell?: 'by script'
}
type RedirectAnswer = { kind: 'redirect'; status: number; to: string }
export type FileAnswer = { kind: 'file'; type: string; bytes: Uint8Array }
export type SiteAnswer = HtmlAnswer | RedirectAnswer | FileAnswer

/** Responses by path, or by path and query if the query matters. */
export type Pages = Readonly<Record<string, SiteAnswer>>

/** URLs of a sitemap; `{origin}` as in links. */
export type Sitemap = { path: string; urls: readonly string[] }

export const html = (links: readonly SiteLink[], more: Partial<HtmlAnswer> = {}): HtmlAnswer => ({
  kind: 'html',
  status: 200,
  links,
  ...more,
})
export const redirect = (to: string, status: number): RedirectAnswer => ({ kind: 'redirect', status, to })
export const inMain = (...hrefs: readonly string[]): SiteLink[] => hrefs.map((href) => ({ href, place: 'main' }))

/** Navigation on every page of the main host. */
export const navigation: readonly SiteLink[] = [
  { href: '/', place: 'nav' },
  { href: '/docs/', place: 'nav' },
  { href: '/blog/', place: 'nav' },
  { href: '/shop/', place: 'nav' },
  { href: '/about#team', place: 'footer' },
  { href: 'mailto:desk@site.test', place: 'footer' },
]

/** Replaces `{origin}` and the other host names. `origin` is that of the page that contains the text. */
export function fillNames(text: string, origin: string): string {
  const { port } = new URL(origin)
  const at = (host: string) => `http://${host}:${port}`
  return text
    .replaceAll('{origin}', origin)
    .replaceAll('{secure}', origin.replace(/^http:/, 'https:'))
    .replaceAll('{www}', at('www.site.test'))
    .replaceAll('{sub}', at('docs.site.test'))
    .replaceAll('{other}', at('other.test'))
}

export function hostOf({ hostname }: URL): CrawlHost {
  return hosts.find((host) => host === hostname) ?? 'site.test'
}

/**
 * Returns the response for a URL. The query matters only if it has a separate response; a final slash and an index file
 * never matter.
 */
export function findAnswer(pages: Pages, url: URL): SiteAnswer | undefined {
  const path = url.pathname.replace(/\/index\.(?:html|php)$/, '/')
  const bare = path === '/' ? path : path.replace(/\/$/, '')
  const key = [`${path}${url.search}`, `${bare}${url.search}`, path, bare, `${bare}/`].find((each) =>
    Object.hasOwn(pages, each),
  )
  return key === undefined ? undefined : pages[key]
}
