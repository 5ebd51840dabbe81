/** Names the crawl site tells apart; any other, `www.site.test`, `127.0.0.1` and `localhost` among them, is `site.test`. */
const hosts = ['site.test', 'docs.site.test', 'other.test'] as const
export type CrawlHost = (typeof hosts)[number]

/**
 * A link as it stands in a page. `{origin}` in it stands for the address under which the page was asked for, `{secure}` for
 * the same over https, `{www}`, `{sub}` and `{other}` for the other names of the server.
 */
export type SiteLink = { href: string; place: 'nav' | 'main' | 'footer'; rel?: string }

export type HtmlAnswer = {
  kind: 'html'
  status: number
  links: readonly SiteLink[]
  /** As in `<base href>`. */
  base?: string
  /** Written in these bytes and declared in the header; UTF-8 without one. */
  charset?: string
  /** So much text before the links. */
  padBytes?: number
  waitMs?: number
  /** The first visit is told to come again, with Retry-After. */
  busyFirst?: 429 | 503
  /** The server sends an empty frame; a script writes what stands in it. */
  shell?: 'by script'
}
export type RedirectAnswer = { kind: 'redirect'; status: number; to: string }
export type FileAnswer = { kind: 'file'; type: string; bytes: Uint8Array }
export type SiteAnswer = HtmlAnswer | RedirectAnswer | FileAnswer

/** Answers by path, or by path and query where the query matters. */
export type Pages = Readonly<Record<string, SiteAnswer>>

/** Addresses in a sitemap, `{origin}` as in links. */
export type Sitemap = { path: string; urls: readonly string[] }

export const html = (links: readonly SiteLink[], more: Partial<HtmlAnswer> = {}): HtmlAnswer => ({
  kind: 'html',
  status: 200,
  links,
  ...more,
})
export const redirect = (to: string, status: number): RedirectAnswer => ({ kind: 'redirect', status, to })
export const inMain = (...hrefs: readonly string[]): SiteLink[] => hrefs.map((href) => ({ href, place: 'main' }))

/** The navigation that every page of the main host carries. */
export const navigation: readonly SiteLink[] = [
  { href: '/', place: 'nav' },
  { href: '/docs/', place: 'nav' },
  { href: '/blog/', place: 'nav' },
  { href: '/shop/', place: 'nav' },
  { href: '/about#team', place: 'footer' },
  { href: 'mailto:desk@site.test', place: 'footer' },
]

/** `{origin}` and the other names of hosts, filled in. `origin` is that of the page the text stands in. */
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

/** What the main host shows at an address: the query counts where it has an answer of its own, a last slash and an index file never do. */
export function findAnswer(pages: Pages, url: URL): SiteAnswer | undefined {
  const path = url.pathname.replace(/\/index\.(?:html|php)$/, '/')
  const bare = path === '/' ? path : path.replace(/\/$/, '')
  const key = [`${path}${url.search}`, `${bare}${url.search}`, path, bare, `${bare}/`].find((each) =>
    Object.hasOwn(pages, each),
  )
  return key === undefined ? undefined : pages[key]
}
