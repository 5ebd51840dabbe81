import type { Ports, Clock } from '../contracts/ports.ts'
import { compose, type Handler, type Invoke, type Middleware } from '../kernel/invoke.ts'
import type { LinkedFiles } from '../kernel/linked-file.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { answerOnce } from './answer-once.ts'
import { collectWarnings } from './collect-warnings.ts'
import { externalizeMedia } from './externalize-media.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { limitRate } from './limit-rate.ts'
import { readLocalFile } from './read-local-file.ts'
import { readLeniently } from './read-leniently.ts'
import { recordAndCharge } from './record-and-charge.ts'
import { requireCredits } from './require-credits.ts'
import { requirePermission } from './require-permission.ts'
import { requireStorage } from './require-storage.ts'
import { validate, validateOnly } from './validate.ts'
import { waitForJob } from './wait-for-job.ts'

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
