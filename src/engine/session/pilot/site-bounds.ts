import type { SessionAction } from '../../../contracts/render-port.ts'
import { mainDomainFinder } from '../../crawl/scope/crawl-place.ts'
import { addressReader } from '../page/read-address.ts'

/** Actions that only read or navigate within the history: they cannot transfer content from one site to another. */
const harmless: ReadonlySet<string> = new Set(
  'click doubleClick hover scroll wait back forward reload tab extract'.split(' '),
)
/** Actions that use data from outside the visible page, or return data unrelated to the task. */
const notOffered: ReadonlySet<string> = new Set(['upload', 'screenshot', 'network', 'console'])
const minName = 3
/** Maximum number of further sites behind a named link, such as click trackers. */
const maxRedirects = 3

/** Limits of a task, from its prompt and first page; pages and model answers cannot widen them. */
export type Bounds = Awaited<ReturnType<typeof createBounds>>

export async function createBounds(prompt: string, startUrl: string) {
  const [siteOf, readAddress] = await Promise.all([siteFinder(), addressReader()])
  const named = addressesIn(prompt)
  const own = new Set([startUrl, ...named].flatMap((url) => siteOf(url) ?? []))
  const followed = new Set<string>()
  const seen = new Set<string>([siteOf(startUrl)].flatMap((site) => site ?? []))
  let sitesAhead = 0
  const isNamed = (url: URL) =>
    named.some((each) => URL.parse(each)?.href === url.href) ||
    (isRoot(url) && named.some((each) => URL.parse(each)?.host === url.host))

  function refusedAddress(given: string, pageUrl: string): string | undefined {
    const url = readAddress(given, pageUrl)
    if (!url || !/^https?:$/.test(url.protocol)) return 'it is not a web address'
    if (isNamed(url)) return undefined
    const site = siteOf(url.href)
    if (site === undefined || !own.has(site)) return 'that address belongs to a site that the task does not name'
    const carriesNothing = seen.size <= 1 && seen.has(site)
    return carriesNothing ? undefined : 'once several sites are involved, only addresses that the task gives are opened'
  }

  return {
    mayVisit(url: string): boolean {
      const site = siteOf(url) ?? ''
      if (own.has(site) || followed.has(site)) return true
      if (site === '' || sitesAhead === 0) return false
      sitesAhead -= 1
      followed.add(site)
      return true
    },
    mayEnter: (url: string) => entersFrame(siteOf(url), own, seen),
    sites: [...own],
    /** True if the page at this URL may be read. Its site is remembered, as its content may be passed on. */
    reads(url: string): boolean {
      const site = siteOf(url) ?? ''
      const mayRead = site === '' || own.has(site) || followed.has(site)
      if (mayRead && site !== '') seen.add(site)
      return mayRead
    },
    /** Returns the reason why an action is not allowed on the page at this URL; undefined if it is. */
    refusal(act: SessionAction, pageUrl: string): string | undefined {
      const opens = act.type === 'navigate' || (act.type === 'tab' && act.do === 'open')
      if (opens && act.url !== undefined) return refusedAddress(act.url, pageUrl)
      if (notOffered.has(act.type) || (act.type === 'tab' && act.do === 'list')) return 'it is not offered here'
      const site = siteOf(pageUrl)
      const isOwn = site === undefined || own.has(site)
      const isHarmless = harmless.has(act.type) || (act.type === 'dialog' && act.value === undefined)
      return isOwn || isHarmless ? undefined : 'nothing is entered on a site that the task does not name'
    },
    /** Runs work that may open another site if it follows a link named in the prompt. */
    async throughNamedLink<T>(link: string | undefined, work: () => Promise<T>): Promise<T> {
      sitesAhead = link !== undefined && names(prompt, link) ? maxRedirects : 0
      try {
        return await work()
      } finally {
        sitesAhead = 0
      }
    },
  }
}

/** True if a frame may be read and typed into. Sites reached only through a link are excluded. */
function entersFrame(site: string | undefined, own: ReadonlySet<string>, seen: Set<string>): boolean {
  if (site === undefined) return true
  if (own.has(site)) seen.add(site)
  return own.has(site)
}

/** Returns a function that finds the main domain of a web URL, or its host and port. */
export async function siteFinder(): Promise<(url: string) => string | undefined> {
  const domainOf = await mainDomainFinder()
  return (address) => {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    return domainOf(url.hostname) ?? url.host
  }
}

const isRoot = ({ pathname, search, hash }: URL) => pathname === '/' && search === '' && hash === ''

/** Returns URLs and host names, except hosts of email addresses. */
function addressesIn(prompt: string): string[] {
  const urls = prompt.match(/https?:\/\/[^\s"'<>`]+/gi) ?? []
  const rest = urls.reduce((text, url) => text.replace(url, ' '), prompt)
  const hosts = rest.match(/(?<![@\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s"'<>`]*)?(?![\w@])/gi) ?? []
  const trimmed = [...urls, ...hosts.map((host) => `https://${host}`)].map((url) => url.replace(/[.,;:!?)\]}]+$/, ''))
  return trimmed.filter((url) => URL.canParse(url))
}

function names(prompt: string, link: string): boolean {
  return wordsOf(link).trim().length >= minName && wordsOf(prompt).includes(wordsOf(link))
}

const wordsOf = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
