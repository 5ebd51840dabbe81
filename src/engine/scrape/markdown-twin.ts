import type { FormatType } from '../../schema/scrape/formats.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { planPage } from './plan.ts'
import type { ScrapeRequest } from './scrape-request.ts'

/** Formats that need only the text of a page. */
const ofText: ReadonlySet<FormatType> = new Set<FormatType>(['markdown', 'summary', 'question', 'highlights'])

/** Timeout for the markdown file in ms; the page itself was already received. */
const maxMs = 5000

/** Minimum share of the page's words that the markdown file must contain. */
const minShare = 0.98
/**
 * Minimum share of the file's words that the page must contain: a file with mostly other words describes the whole
 * site.
 */
const minOfTwin = 0.5

/**
 * Replaces the markdown of a page by the markdown file that the page declares (its twin), if the call needs only text,
 * and the file has nearly all words of the page and at most as many other words. On any failure the page is unchanged.
 */
export async function withTwin(ports: PagePorts, request: ScrapeRequest, page: ScrapedPage): Promise<ScrapedPage> {
  const twin = twinOf(request, page)
  if (twin === undefined) return page
  const input = { ...request.input, url: twin }
  const { team, signal } = request
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  const file = await getPage(ports, { input, plan: planPage(input, team.id), team, signal: within }).catch(() => {})
  signal.throwIfAborted()
  const isFile = file?.response.status === 200 && file.content.kind !== undefined && isSameSite(twin, file.response.url)
  const { markdown = '' } = isFile ? file.content : {}
  if (!isTwin(markdown, page.content.markdown ?? '')) return page
  return { ...page, content: { ...page.content, markdown, markdownFrom: file?.response.url ?? twin } }
}

/** Returns the URL of the markdown file that a page declares on its own site; undefined if it may not be used. */
function twinOf({ input, isSingle }: ScrapeRequest, { response, content }: ScrapedPage): string | undefined {
  const { formats, includeTags, excludeTags, actions } = input
  const isText = formats.length > 0 && formats.every(({ type }) => ofText.has(type))
  if (!isSingle || !isText || response.status !== 200 || content.kind !== undefined) return undefined
  if ([includeTags, excludeTags, actions].some((list = []) => list.length > 0)) return undefined
  const declared = content.metadata?.['markdownAlternate']
  return typeof declared === 'string' && isSameSite(declared, response.url) ? declared : undefined
}

const isSameSite = (one: string, other: string) => URL.parse(one)?.origin === URL.parse(other)?.origin

/** Returns the distinct words of markdown, without URLs of links. */
const wordsOf = (markdown: string) =>
  new Set(
    markdown
      .replace(/\]\([^)]*\)/g, '] ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )

function isTwin(twin: string, page: string): boolean {
  const [own, wanted] = [wordsOf(twin), wordsOf(page)]
  const shared = [...wanted].filter((word) => own.has(word)).length
  return own.size > 0 && shared >= minShare * wanted.size && shared >= minOfTwin * own.size
}
