import type { Ctx } from '../../core/ctx.ts'
import { AppError, failure, toAppError } from '../../core/error.ts'
import type { CachedPage, PageParts, PageResponse, Ports } from '../../core/ports.ts'
import type { Document, DocumentFields } from '../../schema/document.ts'
import type { Format } from '../../schema/formats.ts'
import type { ScrapeInput } from '../../schema/scrape-options.ts'
import { makerOf } from '../format/index.ts'
import { acquirePage, type Acquired } from '../page/acquire.ts'
import { planPage, variantOf, type Plan } from '../page/plan.ts'
import { rawText, readPage, type Wanted } from '../page/read.ts'
import { metadataOf } from './metadata.ts'
import { refuseUnavailable } from './unavailable.ts'

export type ScrapePorts = Pick<Ports, 'clock' | 'fetchPage' | 'readHtml' | 'pages'>
type Call = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress'>

/** Scrapes one page within its timeout: plan, acquire, read, make the formats, describe. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, input: ScrapeInput, call: Call): Promise<Document> {
  refuseUnavailable(input)
  const plan = planPage(input, call.team.id)
  const wish = wishOf(input, plan)
  const leftMs = Math.max(0, input.timeout - (ports.clock.now() - call.startedAt))
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(leftMs)])
  try {
    const needsBody = (cached: CachedPage) => wish.needsBody || missingParts(cached, wish).length > 0
    call.progress(0, 2, 'Getting the page')
    const page = await acquirePage(ports, input.url, plan, needsBody, signal)
    call.progress(1, 2, 'Reading the page')
    const parts = await partsOf(ports, page, plan, wish, signal)
    const view = { parts, rawHtml: () => rawText(withBody(page)) }
    const made = await Promise.all(input.formats.map((format) => makerOf(format)?.make(view, format) ?? {}))
    return {
      ...merged(made),
      metadata: metadataOf({ input, page, parts, call }),
      ...warningOf(input.formats, page, parts),
    }
  } catch (thrown) {
    const reason = interrupted(thrown, signal, call.signal, input.timeout)
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  }
}

/** What all formats of a call want of the page together, and under which name the cache keeps what is made for it. */
type Wish = Wanted & { variant: string; needsBody: boolean }

function wishOf(input: ScrapeInput, { content }: Plan): Wish {
  const chosen = input.formats.flatMap((format) => makerOf(format) ?? [])
  const attributes = input.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []))
  const parsesPdf = input.parsers.length > 0
  return {
    parts: [...new Set([...chosen.flatMap(({ needs }) => needs), 'metadata' as const])],
    attributes,
    content,
    parsesPdf,
    variant: variantOf(content, [attributes, parsesPdf]),
    needsBody: chosen.some(({ needsBody }) => needsBody),
  }
}

const missingParts = ({ made }: CachedPage, { parts, variant }: Wish) =>
  parts.filter((part) => !(part in (made[variant] ?? {})))

/** A page is acquired with its body wherever that is needed, so this never fails but by our own mistake. */
function withBody({ body, ...page }: Acquired): PageResponse {
  if (!body) throw new Error('a page was read without its body')
  return { ...page, body }
}

/** Parts made earlier with the same options are taken over; what is missing is made and kept with the page. */
async function partsOf(
  ports: ScrapePorts,
  page: Acquired,
  plan: Plan,
  wish: Wish,
  signal: AbortSignal,
): Promise<PageParts> {
  const known = page.made[wish.variant] ?? {}
  const missing = missingParts(page, wish)
  if (missing.length === 0) return known
  const source = withBody(page)
  const made = await readPage(ports, source, { ...wish, parts: missing }, signal)
  signal.throwIfAborted()
  const { cacheKey, storesPage, keepsNothing } = plan
  const { fetchedAt, url, status } = page
  const headers = keptHeaders(page.headers)
  if (page.from === 'cache' && !keepsNothing) void ports.pages.addMade(cacheKey, fetchedAt, wish.variant, made)
  else if (page.from === 'site' && storesPage && isWhole(status))
    // Not awaited: the answer need not wait for the cache, whose port never fails and takes look-ups after this.
    void ports.pages.keep(cacheKey, { fetchedAt, url, status, headers, made: { [wish.variant]: made } }, source.body)
  return { ...known, ...made }
}

/** What later readers of the page need. Cookies and the like are the visitor's, not the page's. */
const keptHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'last-modified'))

/** No content, a part of a page or a redirect to nowhere says nothing that would hold for the next days. */
const isWhole = (status: number) => status >= 200 && status < 300 && ![204, 205, 206].includes(status)

/** Two formats of one kind, such as two attribute lists, are joined. */
function merged(made: readonly DocumentFields[]): DocumentFields {
  return made.reduce<DocumentFields>(
    (all, fields) => ({
      ...all,
      ...fields,
      ...(all.attributes && fields.attributes && { attributes: [...all.attributes, ...fields.attributes] }),
    }),
    {},
  )
}

function warningOf(formats: readonly Format[], page: Acquired, parts: PageParts): { warning?: string } {
  const wantsText = formats.some(({ type }) => type === 'markdown')
  if (!wantsText || page.status >= 400 || parts.markdown?.trim()) return {}
  return { warning: 'The page has no readable text in its HTML; it may be built by scripts in a browser.' }
}

/** Causes are written to the log, and those of the network name the host. */
const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })

/** An abort is told by who caused it: our deadline or the caller. */
function interrupted(thrown: unknown, signal: AbortSignal, callerSignal: AbortSignal, timeoutMs: number): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (callerSignal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  return failure('SCRAPE_TIMEOUT', {
    message: `The scrape did not finish within ${timeoutMs} ms.`,
    details: { timeoutMs },
    cause: thrown,
  })
}
