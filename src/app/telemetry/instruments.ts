import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { Done } from './telemetry.ts'

/** Upper ends of the buckets, in seconds: from a cached page to the longest scrape. */
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const stageSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export type Instruments = { begun(): void; ended(): void; record(done: Done): void }

/**
 * What is counted as it happens. Series are bounded: operations and error codes are tables of the program, and of a
 * stage that touches the database only the port is told, not the function.
 */
export function createInstruments(meter: Meter): Instruments {
  const calls = meter.createCounter('gossamer_calls_total', {
    description: 'Calls that have ended, by operation and outcome (ok, or the error code).',
  })
  const inFlight = meter.createUpDownCounter('gossamer_calls_in_flight', { description: 'Calls that are running.' })
  const callTime = seconds(meter, 'gossamer_call_duration_seconds', 'How long calls took.', callSeconds)
  const stageTime = seconds(
    meter,
    'gossamer_stage_duration_seconds',
    'How long the parts of the work took: fetch, render, read, model, store.',
    stageSeconds,
  )
  const stageErrors = meter.createCounter('gossamer_stage_errors_total', {
    description: 'Parts of the work that failed, by error code. Those of the database have the stage "store".',
  })
  const lookups = meter.createCounter('gossamer_cache_lookups_total', {
    description: 'Looks into the page cache, by result (hit, miss).',
  })
  return {
    begun: () => inFlight.add(1),
    ended: () => inFlight.add(-1),
    record: (done) => countDone(done, { calls, callTime, stageTime, stageErrors, lookups }),
  }
}

type Counted = {
  calls: Counter
  callTime: Histogram
  stageTime: Histogram
  stageErrors: Counter
  lookups: Counter
}

function countDone({ kind, name, outcome, ms }: Done, to: Counted): void {
  if (kind === 'cache') return to.lookups.add(1, { result: outcome })
  if (kind === 'call') {
    to.calls.add(1, { operation: name, outcome })
    return to.callTime.record(ms / 1000, { operation: name })
  }
  const stage: Attributes = { stage: kind, part: name.split('.', 1)[0] ?? name }
  to.stageTime.record(ms / 1000, stage)
  if (outcome !== 'ok') to.stageErrors.add(1, { ...stage, code: outcome })
}

const seconds = (meter: Meter, name: string, description: string, explicitBucketBoundaries: number[]) =>
  meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
