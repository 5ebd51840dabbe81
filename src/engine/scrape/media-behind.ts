import { once } from '../../core/lazy.ts'
import type { Clock, Ports } from '../../core/ports.ts'
import type { PageView } from '../format/maker.ts'
import type { Plan } from '../page/plan.ts'
import type { Got } from './get-page.ts'

const maxSearchMs = 20_000
/** Of the time that is left, so that a slow search leaves some for the answer. */
const share = 0.8

type Search = { got: Pick<Got, 'page' | 'wall'>; plan: Pick<Plan, 'onCacheMiss'>; endsAt: number; signal: AbortSignal }

/** The search for media that the HTML does not name, made once for all formats; absent where nothing may be fetched or no page came. */
export function mediaBehind(
  { findMedia, clock }: Pick<Ports, 'findMedia'> & { clock: Clock },
  { got: { page, wall }, plan, endsAt, signal }: Search,
): Pick<PageView, 'mediaBehind'> {
  if (plan.onCacheMiss || (page.status >= 400 && !wall)) return {}
  return {
    mediaBehind: once(() => {
      const limitMs = Math.min(maxSearchMs, share * (endsAt - clock.now()))
      return findMedia({ url: page.url, limitMs, signal })
    }),
  }
}
