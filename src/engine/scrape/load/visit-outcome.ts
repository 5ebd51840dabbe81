import { AppError } from '../../../kernel/error.ts'
import type { PageContent, UnfilledPart } from '../../../contracts/page-content.ts'
import type { BrowserNeed, Visit } from '../../../contracts/scrape-step.ts'
import { DeadlineError } from '../../../util/async.ts'
import type { PageResponse, ProxyKind } from '../../../contracts/fetch.ts'
import type { BotChallenge } from '../../net/http/bot-challenge.ts'

/** A page loaded from its site, with its content. */
export type LoadedPage = {
  by: Visit['by']
  response: PageResponse
  content: PageContent
  proxyUsed: ProxyKind
  /** Bot challenge received instead of the page. */
  challenge: BotChallenge | undefined
}

export function withWarning(loaded: LoadedPage, warning: string | undefined): LoadedPage {
  if (warning === undefined) return loaded
  return {
    ...loaded,
    content: { ...loaded.content, warning: [loaded.content.warning, warning].filter(Boolean).join(' ') },
  }
}

/** Removes the unfilled parts of a page that a browser has read, because another visit would not fill them. */
export function withoutUnfilled(loaded: LoadedPage): LoadedPage {
  const { unfilled: _, ...content } = loaded.content
  return { ...loaded, content }
}

/** Returns the size of the content in characters. */
const sizeOf = ({ content: { markdown, html, anchors = [], media = {}, product = null } }: LoadedPage): number =>
  (markdown ?? html ?? '').length + JSON.stringify([anchors, media, product]).length

/**
 * Returns why a page loaded by plain HTTP needs a browser: a bot challenge, an empty shell, or a missing part. See
 * `placeNeed` for the requested location.
 */
export function browserNeedOf({ challenge, content, response }: LoadedPage): BrowserNeed | undefined {
  if (challenge) return 'challenge'
  // A browser would be redirected to the same address, and refused.
  if (response.faults?.includes('refresh refused')) return undefined
  if (content.needsBrowser) return 'shell'
  return content.unfilled && response.status < 400 ? 'unfilled' : undefined
}

/** True if the browser's result replaces that of plain HTTP. */
export function isBetter(rendered: LoadedPage, plain: LoadedPage, need: BrowserNeed): boolean {
  if (need === 'challenge') return true
  if (need === 'shell') return sizeOf(rendered) > sizeOf(plain)
  const isPage = !rendered.challenge && rendered.response.status < 400
  return isPage && sizeOf(rendered) > sizeOf(plain) / 2
}

/** True if the browser filled at least some of the missing parts. */
export const isFilled = (rendered: LoadedPage, plain: LoadedPage): boolean =>
  !rendered.content.unfilled || sizeOf(rendered) > sizeOf(plain)

const shown: Record<UnfilledPart, string> = {
  'loading message': 'a message that content is loading',
  placeholders: 'placeholder boxes',
  'empty list': 'an empty container for a list',
  template: 'a template that scripts fill',
  frames: 'frames that show other pages',
}

/** Describes what seems to be missing from a page that no browser has read. */
export const unfilledText = ({ unfilled }: PageContent): string | undefined =>
  unfilled &&
  `Part of this page seems to be missing: in its place, the HTML has ${unfilled.map((part) => shown[part]).join(' and ')}.`

const shellText = 'Most of this page seems to be missing: it is built by scripts in a browser.'
const noBrowser = 'No headless browser is installed that could load it; see `gossamer browser install`.'

/** Describes what seems to be missing from a page, and the error of the browser if it failed. */
export function missingText({ content }: LoadedPage, need: BrowserNeed, failed: unknown): string | undefined {
  const isShell = need === 'shell' && failed !== undefined && content.markdown?.trim()
  const what = need === 'unfilled' ? unfilledText(content) : isShell ? shellText : undefined
  if (what === undefined || failed === undefined) return what
  return `${what} ${reasonOf(failed)}`
}

function reasonOf(failed: unknown): string {
  if (failed instanceof DeadlineError) return 'The browser that was to load it took too long.'
  const code = failed instanceof AppError ? failed.code : 'UNKNOWN_ERROR'
  return code === 'BROWSER_UNAVAILABLE' ? noBrowser : `The browser that was to load it failed (${code}).`
}

/** Matches script tags with their code; for an unclosed tag without it, so its end is searched for only once. */
const scriptTag = /<script\b([^>]*)(?:>([^<]{0,2000}))?/gi
const dataType =
  /(?<![-\w])type\s*=\s*["']?(?!(?:text|application)\/(?:javascript|ecmascript|babel|typescript)|module)[^"'\s>]/i
const sourceOf = /(?<![-\w])src\s*=\s*["']?([^"'\s>]+)/i
/** Analytics and advertising code, which is the same for visitors of any location. */
const tagManager = /\b(?:gtag|dataLayer|googletag|_gaq|_paq|fbq|hotjar|adsbygoogle)\b|google-analytics|googletagmanager/

/** True if a page runs scripts of its own: from its site, or inline code other than analytics. */
export function hasOwnScripts(html: string, url: string): boolean {
  const site = hostOf(url, url)
  for (const [, attributes = '', code] of html.matchAll(scriptTag)) {
    if (code === undefined || dataType.test(attributes)) continue
    const source = sourceOf.exec(attributes)?.[1]
    if (source === undefined ? code.trim() !== '' && !tagManager.test(code) : isOf(site, hostOf(source, url)))
      return true
  }
  return false
}

const hostOf = (source: string, url: string) => (URL.parse(source, url)?.hostname ?? '').replace(/^www\./, '')

const isOf = (site: string, host: string) => host === site || host.endsWith(`.${site}`) || site.endsWith(`.${host}`)
