import {
  diag,
  DiagLogLevel,
  type BatchObservableResult,
  type Meter,
  type Attributes,
  type Counter,
  type Histogram,
} from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { Workload } from '../../engine/store/workload.ts'
import type { Log } from '../../kernel/log.ts'
import { version } from '../../version.ts'
import { timed, noTelemetry, type Task, type Telemetry, type Done } from './telemetry.ts'
import { type OtelSettings, otelSettings } from './telemetry-settings.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** Address, headers and timeout are not passed: the exporters read them from the OTEL_EXPORTER_OTLP_* variables. */
async function spanExporter({ protocol }: NonNullable<OtelSettings['traces']>): Promise<SpanExporter> {
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter()
}

async function metricExporter({ protocol }: NonNullable<OtelSettings['metrics']>): Promise<PushMetricExporter> {
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter()
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter()
}

/** Upper bounds of the histogram buckets, in seconds: from a cached page to the longest scrape. */
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const stageSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type Instruments = { started(): void; ended(): void; record(done: Done): void }

/**
 * Creates the counters and histograms that tasks update. The number of series is bounded: operations and error codes
 * are fixed tables, and work of the database is counted by port, not by function.
 */
function createInstruments(meter: Meter): Instruments {
  const calls = meter.createCounter('gossamer_calls_total', {
    description: 'Calls that have ended, by operation and outcome (ok, or the error code).',
  })
  const inFlight = meter.createUpDownCounter('gossamer_calls_in_flight', { description: 'Calls that are running.' })
  const callTime = seconds(meter, 'gossamer_call_duration_seconds', 'How long calls took.', callSeconds)
  const stageTime = seconds(
    meter,
    'gossamer_stage_duration_seconds',
    'Duration of the parts of the work: fetch, render, read, model, store, objects.',
    stageSeconds,
  )
  const stageErrors = meter.createCounter('gossamer_stage_errors_total', {
    description: 'Failed parts of the work, by stage and error code. The stage of the database is "store".',
  })
  const lookups = meter.createCounter('gossamer_cache_lookups_total', {
    description: 'Lookups in the page cache, by result (hit, miss).',
  })
  return {
    started: () => inFlight.add(1),
    ended: () => inFlight.add(-1),
    record: (done) => countDone(done, { calls, callTime, stageTime, stageErrors, lookups }),
  }
}

type TaskInstruments = {
  calls: Counter
  callTime: Histogram
  stageTime: Histogram
  stageErrors: Counter
  lookups: Counter
}

function countDone({ kind, name, outcome, ms }: Done, to: TaskInstruments): void {
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

const nanoseconds = 1e9
const sampleMs = 20

/** Reports the resource use of the process under the names that prom-client uses, which many dashboards read. */
function observeProcess(meter: Meter): { close(): void } {
  const loop = monitorEventLoopDelay({ resolution: sampleMs })
  loop.enable()
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()))
  const startedAt = Date.now() / 1000 - process.uptime()

  meter
    .createObservableCounter('process_cpu_seconds_total', { description: 'CPU time of all threads, in seconds.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / 1e6)
    })
  gauge('process_start_time_seconds', 'When the process started, seconds since the epoch.', () => startedAt)
  gauge('process_resident_memory_bytes', 'Memory in RAM.', () => process.memoryUsage.rss())
  gauge('nodejs_heap_size_used_bytes', 'Heap in use by the main thread.', () => getHeapStatistics().used_heap_size)
  gauge('nodejs_heap_size_total_bytes', 'Heap of the main thread.', () => getHeapStatistics().total_heap_size)
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'Delay of timers of the main thread since the last request for metrics, 99th percentile.',
    () => {
      // The measured value includes the sampling interval.
      const lag = Math.max(0, loop.percentile(99) / nanoseconds - sampleMs / 1000)
      loop.reset()
      return Number.isFinite(lag) ? lag : 0
    },
  )
  meter
    .createObservableGauge('gossamer_build_info', { description: 'Always 1; the labels have the versions.' })
    .addCallback((result) => result.observe(1, { version, node: process.version }))
  return { close: () => loop.disable() }
}

/**
 * Pending work, read from the database when metrics are requested. Servers that share a database all report the same
 * numbers, so use their maximum, not the sum.
 */
function observeWorkload(meter: Meter, read: () => Promise<Workload>, log: Log): void {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description })
  const gauges = {
    up: gauge(
      'gossamer_database_up',
      '1 if the database answers, otherwise 0; the other gauges of jobs are then missing.',
    ),
    jobs: gauge('gossamer_jobs', 'Unfinished jobs, by kind and state (waiting: not started yet).'),
    pages: gauge('gossamer_pages', 'Pages of unfinished crawls and batches, by state.'),
    oldest: gauge('gossamer_oldest_waiting_seconds', 'Age of the oldest job with waiting work; 0 if there is none.'),
    slots: gauge('gossamer_scrape_slots', 'Scrapes that hold a slot of their team, or wait for one.'),
    deliveries: gauge('gossamer_webhooks_waiting', 'Webhook events not yet sent.'),
    sessions: gauge('gossamer_browser_sessions', 'Live browser sessions that are open.'),
  }

  async function observe(result: BatchObservableResult): Promise<void> {
    const workload = await read().catch((cause: unknown) => void log.debug('workload is not known', { cause }))
    result.observe(gauges.up, workload ? 1 : 0)
    if (!workload) return
    for (const { kind, state, count } of workload.jobs) result.observe(gauges.jobs, count, { kind, state })
    for (const [state, count] of Object.entries(workload.pages)) result.observe(gauges.pages, count, { state })
    for (const [state, count] of Object.entries(workload.slots)) result.observe(gauges.slots, count, { state })
    result.observe(gauges.oldest, workload.oldestWaitingMs / 1000)
    result.observe(gauges.deliveries, workload.deliveries)
    result.observe(gauges.sessions, workload.sessions)
  }
  meter.addBatchObservableCallback(observe, Object.values(gauges))
}

export type OpenTelemetry = Required<Telemetry> & {
  /** Adds gauges of the database to the metrics. */
  watchWorkload(read: () => Promise<Workload>): void
  /** Sends the remaining data. */
  close(): Promise<void>
}

const closeMs = 2000

/**
 * Creates the instruments, which /metrics reads and OTLP sends if the OTEL_* variables of `env` name an address. Fails
 * with an Error that names the invalid variable.
 */
export async function openTelemetry(env: NodeJS.ProcessEnv, log: Log): Promise<OpenTelemetry> {
  const settings = otelSettings(env)
  diag.setLogger(diagnosticsOn(log), DiagLogLevel.WARN)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'gossamer', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const prometheus = new PrometheusExporter({ preventServerStart: true })
  const otlp = await periodicReader(settings)
  const provider = new MeterProvider({ resource, readers: [prometheus, ...(otlp ? [otlp] : [])] })
  const meter = provider.getMeter('gossamer')
  const instruments = createInstruments(meter)
  const processObserver = observeProcess(meter)
  const serializer = new PrometheusSerializer('', false, undefined, true, true)
  const tracing = await openTracing(settings, resource)

  async function measure<T>(task: Task, run: () => Promise<T>): Promise<T> {
    const traced = tracing ? () => tracing.traced(task, run) : run
    if (task.kind !== 'call') return timed(task, traced, instruments.record)
    instruments.started()
    return timed(task, traced, instruments.record).finally(instruments.ended)
  }

  return {
    ...noTelemetry,
    ...(tracing && { continued: tracing.continued, traceHeaders: tracing.traceHeaders }),
    measure,
    record: instruments.record,
    watchWorkload: (read) => observeWorkload(meter, read, log),
    async exposition() {
      const { resourceMetrics } = await prometheus.collect()
      return serializer.serialize(resourceMetrics)
    },
    async close() {
      processObserver.close()
      const ending = Promise.allSettled([tracing?.close(), provider.shutdown({ timeoutMillis: closeMs })])
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, closeMs).unref())])
      diag.disable()
    },
  }
}

async function openTracing({ traces, ...settings }: OtelSettings, resource: ReturnType<typeof defaultResource>) {
  if (!traces) return undefined
  const { createTracing } = await import('./tracing.ts')
  return createTracing({ ...settings, resource, exporter: await spanExporter(traces) })
}

async function periodicReader({ metrics, metricIntervalMs }: OtelSettings) {
  if (!metrics) return undefined
  return new PeriodicExportingMetricReader({
    exporter: await metricExporter(metrics),
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(metricIntervalMs, 30_000),
  })
}

/** Logs messages of OpenTelemetry, for example about an unreachable receiver, but not the data to be sent. */
function diagnosticsOn(log: Log) {
  const at = (level: 'warn' | 'debug') => (message: string) => log[level]('telemetry', { message })
  return { error: at('warn'), warn: at('warn'), info: at('debug'), debug: at('debug'), verbose: at('debug') }
}
