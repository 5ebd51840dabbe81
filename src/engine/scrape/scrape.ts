import type { Snapshot } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import { AppError, failure, toAppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { once } from '../../util/async.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'
import { makeFields, warningOf } from './formats/make.ts'
import type { PageHistory, PageView } from './formats/maker.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { metadataOf } from './metadata.ts'
import { rawText } from './parse-page.ts'
import type { ScrapeRequest } from './request.ts'
import { tellPlan } from './load/tell-steps.ts'
import { refuseRetention } from './retention.ts'
import { modelFor } from './page-model.ts'
import { startTimeLimit } from './time-limit.ts'

export type ScrapePorts = PagePorts & Pick<Ports, 'findMedia' | 'snapshots' | 'model'>
/** The document that answers the caller, and the page that it was made of. */
export type ScrapeResult = { document: Document; page: ScrapedPage }

/** Scrapes one page within its timeout: gets the page, makes the formats, describes it. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, request: ScrapeRequest): Promise<ScrapeResult> {
  const { input, plan } = request
  refuseRetention(input)
  const limit = startTimeLimit(ports.clock, request, input.timeout)
  const limited = { ...request, signal: limit.signal }
  try {
    request.progress(0, 1, 'Getting the page')
    tellPlan(request)
    const page = await getPage(ports, limited)
    return { document: await makeDocument(ports, limited, page), page }
  } catch (thrown) {
    const reason = cancelled(limit.explain(thrown))
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

/** The caller left in the middle of a scrape. */
const cancelled = (thrown: unknown): unknown =>
  thrown instanceof AppError && thrown.code === 'REQUEST_CANCELLED'
    ? failure('SCRAPE_JOB_CANCELLED', { cause: thrown })
    : thrown

async function makeDocument(ports: ScrapePorts, request: ScrapeRequest, page: ScrapedPage): Promise<Document> {
  const { formats } = request.input
  const { response, content, challenge } = page
  const { history, commit } = openHistory(ports, request, page)
  const { warning, madeBy, ...fields } = await makeFields(request.input, viewPage(ports, request, page, history))
  await commit()
  request.tellStep?.({ step: 'formats' })
  return {
    ...fields,
    ...(content.actions && { actions: content.actions }),
    metadata: { ...metadataOf(request, page, fields), ...madeBy },
    ...warningOf(formats, response.status, content, { challenge, warning }),
  }
}

/** Causes are written to the log, and those of the network name the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })

type ViewPorts = Pick<Ports, 'findMedia' | 'snapshots' | 'clock' | 'model'>

/** A scraped page as format makers see it. */
function viewPage(ports: ViewPorts, request: ScrapeRequest, page: ScrapedPage, history: PageHistory): PageView {
  return {
    content: page.content,
    url: page.response.url,
    rawHtml: () => rawText({ ...page.response, body: page.body() }),
    findMedia: mediaSearch(ports, request, page),
    model: modelFor(ports, { ...request, timeoutMs: request.input.timeout, keepsNothing: request.plan.keepsNothing }),
    history,
  }
}

const maxSearchMs = 20_000
/** Share of the time left, so that a slow search leaves some for the answer. */
const share = 0.8

/** The search for media, run once for all formats; undefined where nothing may be fetched or no page came. */
function mediaSearch(
  { findMedia, clock }: ViewPorts,
  { input, team, plan, startedAt, signal }: ScrapeRequest,
  { response, challenge }: ScrapedPage,
): PageView['findMedia'] {
  if (plan.onCacheMiss || (response.status >= 400 && !challenge)) return undefined
  const endsAt = startedAt + input.timeout
  return once(() => {
    const limitMs = Math.min(maxSearchMs, share * (endsAt - clock.now()))
    return findMedia({ teamId: team.id, url: response.url, limitMs, signal })
  })
}

/**
 * The team's snapshots of a URL. Those offered to be kept wait for `commit`: a scrape that fails later has shown its
 * caller nothing, and the next one would miss the change.
 */
function openHistory(
  { snapshots }: ViewPorts,
  { input, team, plan, isLinked, signal }: ScrapeRequest,
  { response, content, challenge, fetchedAt, cachedAt }: ScrapedPage,
): { history: PageHistory; commit(): Promise<void> } {
  const key = cacheUrl(input.url)
  const offered: { tag: string; snapshot: Snapshot }[] = []
  return {
    history: {
      observation: {
        status: response.status,
        at: fetchedAt,
        origin: cachedAt === undefined ? 'site' : 'cache',
        standIn: challenge ? 'bot check' : content.needsBrowser ? 'shell without text' : undefined,
      },
      isLinked,
      last: (tag) => snapshots.last(team.id, key, tag),
      ...(!plan.keepsNothing && { keep: (tag, snapshot) => void offered.push({ tag, snapshot }) }),
    },
    commit: async () => {
      if (offered.length > 0) signal.throwIfAborted()
      await Promise.all(offered.map(({ tag, snapshot }) => snapshots.keep(team.id, key, tag, snapshot)))
    },
  }
}
