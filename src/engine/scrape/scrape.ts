import type { PagePart, Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, toAppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { ScrapeInput } from '../../schema/scrape/options.ts'
import { fieldsOf, refuseUnavailable, warningOf } from './fields.ts'
import { getPage, type GetPorts, type Got } from './get-page.ts'
import { historyOf, mediaBehind } from './history.ts'
import { metadataOf } from './metadata.ts'
import { rawText } from './parse-page.ts'
import { wishOf } from './parts.ts'
import { planPage } from './plan.ts'
import { withinTime } from './time-limit.ts'

export type ScrapePorts = GetPorts & Pick<Ports, 'findMedia' | 'snapshots'>
export type Call = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress'>
/** What is scraped for a crawl besides the answer: its links, and where it came from. */
export type Scraped = { document: Document; got: Pick<Got, 'page' | 'parts' | 'wall' | 'cachedAt'> }
export type Further = {
  /** Parts that the formats of the call do not ask for. */
  parts?: readonly PagePart[]
  /** Visits with one key share a browser context. */
  reuse?: string
  /** False for a page that no link led to, such as one that only a sitemap names; change tracking calls it hidden. */
  isLinked?: boolean
}

/** Scrapes one page within its timeout: plan, get, make the formats, describe. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, input: ScrapeInput, call: Call): Promise<Document> {
  return (await scrapePage(ports, input, call)).document
}

/** The same, with what a caller of many pages wants to know beside the answer. */
export async function scrapePage(
  ports: ScrapePorts,
  input: ScrapeInput,
  call: Call,
  further: Further = {},
): Promise<Scraped> {
  refuseUnavailable(input)
  const plan = planPage(input, call.team.id)
  const wish = wishOf(input, plan.content, plan.stay, further.parts)
  const work = async (signal: AbortSignal): Promise<Scraped> => {
    call.progress(0, 1, 'Getting the page')
    const wanted = { url: input.url, teamId: call.team.id, plan, wish, reuse: further.reuse }
    const got = await getPage(ports, wanted, signal)
    const { page, parts, wall } = got
    const endsAt = call.startedAt + input.timeout
    const { history, settle } = historyOf(ports, { url: input.url, teamId: call.team.id, got, plan, ...further })
    const view = {
      parts,
      history,
      rawHtml: () => rawText({ ...page, body: got.body() }),
      ...mediaBehind(ports, { got, plan, endsAt, signal }),
    }
    const { warning, ...fields } = await fieldsOf(input.formats, view)
    await settle(signal)
    const document = {
      ...fields,
      ...(parts.actions && { actions: parts.actions }),
      metadata: metadataOf({ input, got, call }),
      ...warningOf(input.formats, page.status, parts, { wall, warning }),
    }
    return { document, got }
  }
  return withinTime(ports.clock, call, input.timeout, work).catch((reason: unknown) => {
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  })
}

/** Causes are written to the log, and those of the network name the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })
