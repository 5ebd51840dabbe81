import type { FormatType } from '../../schema/scrape/formats.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { planPage } from './plan.ts'
import type { ScrapeRequest } from './scrape-request.ts'

/** Formats made of the text alone. */
const ofText: ReadonlySet<FormatType> = new Set<FormatType>(['markdown', 'summary', 'question', 'highlights'])

/** Longest wait for the twin; the page itself is there already. */
const maxMs = 5000

/** Least share of the words of a page that its twin must have. */
const minShare = 0.98
/**
 * Least share of the words of the twin that the page must have: a file with mostly other words is about the whole site.
 */
const minOfTwin = 0.5

/**
 * Replaces the markdown of a page by the file in markdown that the page declares, if the call needs text alone and the
 * file has the words of the page, and not many others. On any failure the page is unchanged.
 */
export async function withTwin(ports: PagePorts, request: ScrapeRequest, page: ScrapedPage): Promise<ScrapedPage> {
  const twin = twinOf(request, page)
  if (twin === undefined) return page
  const input = { ...request.input, url: twin }
  const { team, signal } = request
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  const found = await getPage(ports, { input, plan: planPage(input, team.id), team, signal: within }).catch(() => {})
  signal.throwIfAborted()
  const isFile =
    found?.response.status === 200 && found.content.kind !== undefined && isSameSite(twin, found.response.url)
  const { markdown = '' } = isFile ? found.content : {}
  if (!isTwin(markdown, page.content.markdown ?? '')) return page
  return { ...page, content: { ...page.content, markdown, markdownFrom: found?.response.url ?? twin } }
}

/** The address that a page declares, on its own site. */
function twinOf({ input, isSingle }: ScrapeRequest, { response, content }: ScrapedPage): string | undefined {
  const { formats, includeTags, excludeTags, actions } = input
  const isText = formats.length > 0 && formats.every(({ type }) => ofText.has(type))
  if (!isSingle || !isText || response.status !== 200 || content.kind !== undefined) return undefined
  if ([includeTags, excludeTags, actions].some((list = []) => list.length > 0)) return undefined
  const declared = content.metadata?.['markdownAlternate']
  return typeof declared === 'string' && isSameSite(declared, response.url) ? declared : undefined
}

const isSameSite = (one: string, other: string) => URL.parse(one)?.origin === URL.parse(other)?.origin

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
