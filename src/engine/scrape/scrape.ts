import type { Ctx } from '../../core/ctx.ts'
import { AppError, toAppError } from '../../core/error.ts'
import type { Ports } from '../../core/ports.ts'
import type { Document } from '../../schema/document.ts'
import type { ScrapeInput } from '../../schema/scrape-options.ts'
import { planPage } from '../page/plan.ts'
import { rawText } from '../page/read.ts'
import { fieldsOf, warningOf } from './fields.ts'
import { getPage, type GetPorts } from './get-page.ts'
import { mediaBehind } from './media-behind.ts'
import { metadataOf } from './metadata.ts'
import { interrupted, timeLeft } from './time-limit.ts'
import { refuseUnavailable } from './unavailable.ts'
import { wishOf } from './wish.ts'

export type ScrapePorts = GetPorts & Pick<Ports, 'findMedia'>
type Call = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress'>

/** Scrapes one page within its timeout: plan, get, make the formats, describe. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, input: ScrapeInput, call: Call): Promise<Document> {
  refuseUnavailable(input)
  const plan = planPage(input, call.team.id)
  const wish = wishOf(input, plan.content, plan.stay)
  const signal = timeLeft(ports.clock, call, input.timeout)
  try {
    call.progress(0, 1, 'Getting the page')
    const got = await getPage(ports, { url: input.url, teamId: call.team.id, plan, wish }, signal)
    const { page, parts, wall } = got
    const endsAt = call.startedAt + input.timeout
    const view = {
      parts,
      rawHtml: () => rawText({ ...page, body: got.body() }),
      ...mediaBehind(ports, { got, plan, endsAt, signal }),
    }
    const { warning, ...fields } = await fieldsOf(input.formats, view)
    return {
      ...fields,
      ...(parts.actions && { actions: parts.actions }),
      metadata: metadataOf({ input, got, call }),
      ...warningOf(input.formats, page.status, parts, { wall, warning }),
    }
  } catch (thrown) {
    const reason = interrupted(thrown, signal, call.signal, input.timeout)
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  }
}

/** Causes are written to the log, and those of the network name the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })
