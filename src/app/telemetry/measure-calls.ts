import type { Telemetry } from './telemetry.ts'
import type { Middleware } from '../../kernel/invoke.ts'

/** Counts and times every call, with the code it ended with. */
export const measureCalls =
  ({ measure }: Pick<Telemetry, 'measure'>): Middleware =>
  ({ name }, next) =>
  (input, ctx) =>
    measure({ kind: 'call', name, jobId: ctx.jobId }, () => next(input, ctx))
