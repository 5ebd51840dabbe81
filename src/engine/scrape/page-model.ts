import type { Ports } from '../../contracts/ports.ts'
import { createPageModel } from '../understand/page-model.ts'
import type { PageView } from './formats/maker.ts'
import type { ScrapeCall } from './request.ts'

type ModelCall = Pick<ScrapeCall, 'team' | 'signal' | 'startedAt'> & { timeoutMs: number; keepsNothing: boolean }

/** Of the time left, what a model may take, so that its answer still reaches the caller. */
const timeShare = 0.9

/** The model for the formats of one scrape. With zero data retention the page is shown to none. */
export function modelFor(
  { model, clock }: Pick<Ports, 'model' | 'clock'>,
  { team, signal, startedAt, timeoutMs, keepsNothing }: ModelCall,
): PageView['model'] {
  if (!model.isSet()) return 'none is set'
  if (keepsNothing) return 'nothing may leave'
  return createPageModel(model, {
    teamId: team.id,
    keyName: team.key,
    signal,
    timeoutMs: () => Math.max(1, timeShare * (startedAt + timeoutMs - clock.now())),
  })
}
