import type { Finding } from '../../../../contracts/ports.ts'
import type { Workload } from '../../../../engine/store/workload.ts'
import { ago, counted } from './seen.ts'

/** Pages that a site makes wait, or teams that have their slots, are no fault; so long they are worth a look. */
const longMs = 5 * 60_000

/** How much waits, and for how long. */
export function queueFinding({ jobs, pages, deliveries, ...oldest }: Workload): Finding {
  const sum = (state: 'waiting' | 'running') =>
    jobs.filter((each) => each.state === state).reduce((total, { count }) => total + count, 0)
  const says = [
    `${counted(sum('running'), 'job')} under way, ${sum('waiting')} waiting${since(oldest.oldestWaitingMs)}`,
    `${counted(pages.active, 'page')} under way, ${pages.waiting} waiting`,
    `${counted(deliveries, 'webhook event')} to be sent${since(oldest.oldestDeliveryMs)}`,
  ].join('; ')
  const advice = [
    ...(oldest.oldestWaitingMs > longMs && pages.active === 0 && sum('running') === 0
      ? ['Nothing is worked on: look at the logs of the workers.']
      : []),
    ...(oldest.oldestWaitingMs > longMs && pages.active > 0 && sum('waiting') > 0
      ? ['Start more workers, or raise the limits of the teams that wait.']
      : []),
    ...(oldest.oldestDeliveryMs > longMs
      ? ['A receiver of webhooks does not answer: the logs of the workers name it.']
      : []),
  ]
  if (advice.length === 0) return { topic: 'Queue', state: 'ok', says }
  return { topic: 'Queue', state: 'note', says, advice: advice.join(' ') }
}

const since = (ms: number) => (ms > 0 ? `, the oldest for ${ago(ms)}` : '')
