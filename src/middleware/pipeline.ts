import type { Clock, Ports } from '../contracts/ports.ts'
import { compose, type Handler, type Invoke, type Middleware } from '../kernel/invoke.ts'
import type { LinkedFiles } from '../kernel/linked-file.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { collectWarnings, externalizeMedia, waitForJob } from './answers.ts'
import { readLeniently, readLocalFile, validate, validateOnly } from './check-input.ts'
import { answerOnce, recordAndCharge } from './record-jobs.ts'
import { limitConcurrency, limitRate, requireCredits, requirePermission, requireStorage } from './team-limits.ts'

export type PipelineOptions = {
  ports: Pick<Ports, 'account' | 'idempotency' | 'jobs' | 'storage' | 'usage' | 'files'>
  clock: Clock
  /** Counts calls, whatever they end with. */
  measureCalls: Middleware
  trackInFlight: Middleware
  noteRefusals: Middleware
  /** Runs operations at a remote service, which has the rest of this middleware itself. */
  remote: ((operation: AnyOperation) => Handler) | undefined
}
/** Set where media are answered as links to this server. */
export type MediaLinks = Pick<LinkedFiles, 'keep'> | undefined

/** All that a call passes through, outermost first. An operation passes only through what it needs. */
export function openPipeline(options: PipelineOptions, mediaLinks?: MediaLinks): Invoke {
  const { ports, clock, measureCalls, trackInFlight, noteRefusals, remote } = options
  const here = [
    validate,
    requirePermission,
    answerOnce(ports.idempotency),
    requireStorage(ports.storage),
    limitRate(ports.account),
    limitConcurrency(ports.account, clock),
    recordAndCharge(ports),
    requireCredits({ ...ports, clock }),
  ]
  const middleware = [
    ...(mediaLinks ? [externalizeMedia(mediaLinks)] : []),
    measureCalls,
    trackInFlight,
    // A remote service notes its own.
    ...(remote ? [] : [noteRefusals]),
    collectWarnings,
    readLeniently,
    readLocalFile(ports.files),
    waitForJob,
    ...(remote ? [validateOnly] : here),
  ]
  return compose(middleware, remote)
}

/** The running calls, so that nothing they need is closed under them. */
export function createInFlight(ended: () => void = () => {}): {
  track: Middleware
  isBusy(): boolean
  settled(): Promise<void>
} {
  const calls = new Set<Promise<unknown>>()
  return {
    track: (_operation, next) => (input, ctx) => {
      const call = next(input, ctx)
      calls.add(call)
      const forget = () => {
        calls.delete(call)
        ended()
      }
      call.then(forget, forget)
      return call
    },
    isBusy: () => calls.size > 0,
    settled: async () => void (await Promise.allSettled(calls)),
  }
}
