import { diag, DiagLogLevel } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { Workload } from '../../engine/store/workload.ts'
import type { Log } from '../../kernel/log.ts'
import { version } from '../../version.ts'
import { timed } from './gathered.ts'
import { createInstruments } from './instruments.ts'
import { type OtelSettings, otelSettings } from './otel-settings.ts'
import { observeProcess } from './process-gauges.ts'
import { noTelemetry, type Task, type Telemetry } from './telemetry.ts'
import { observeWorkload } from './workload-gauges.ts'

export type OpenTelemetry = Required<Telemetry> & {
  /** Has metrics tell of the database, too. */
  watchWorkload(read: () => Promise<Workload>): void
  /** Sends what is left. */
  close(): Promise<void>
}

const closeMs = 2000

/**
 * One set of instruments, read by whoever asks for /metrics, and sent by OTLP where the OTEL_* variables of `env` name an
 * address. Fails with an Error that names the variable which is wrong.
 */
export async function openTelemetry(env: NodeJS.ProcessEnv, log: Log): Promise<OpenTelemetry> {
  const settings = otelSettings(env)
  diag.setLogger(diagnosticsOn(log), DiagLogLevel.WARN)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'gossamer', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const scraped = new PrometheusExporter({ preventServerStart: true })
  const sent = await periodicReader(settings)
  const provider = new MeterProvider({ resource, readers: [scraped, ...(sent ? [sent] : [])] })
  const meter = provider.getMeter('gossamer')
  const instruments = createInstruments(meter)
  const observed = observeProcess(meter)
  const serializer = new PrometheusSerializer('', false, undefined, true, true)
  const tracing = await openTracing(settings, resource)

  async function measure<T>(task: Task, run: () => Promise<T>): Promise<T> {
    const traced = tracing ? () => tracing.traced(task, run) : run
    if (task.kind !== 'call') return timed(task, traced, instruments.record)
    instruments.begun()
    return timed(task, traced, instruments.record).finally(instruments.ended)
  }

  return {
    ...noTelemetry,
    ...(tracing && { continued: tracing.continued, traceHeaders: tracing.traceHeaders }),
    measure,
    record: instruments.record,
    watchWorkload: (read) => observeWorkload(meter, read, log),
    async exposition() {
      const { resourceMetrics } = await scraped.collect()
      return serializer.serialize(resourceMetrics)
    },
    async close() {
      observed.close()
      const ending = Promise.allSettled([tracing?.close(), provider.shutdown({ timeoutMillis: closeMs })])
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, closeMs).unref())])
      diag.disable()
    },
  }
}

async function openTracing({ traces, ...settings }: OtelSettings, resource: ReturnType<typeof defaultResource>) {
  if (!traces) return undefined
  const { spanExporter } = await import('./exporters.ts')
  const { createTracing } = await import('./tracing.ts')
  return createTracing({ ...settings, resource, exporter: await spanExporter(traces) })
}

async function periodicReader({ metrics, metricIntervalMs }: OtelSettings) {
  if (!metrics) return undefined
  const { metricExporter } = await import('./exporters.ts')
  return new PeriodicExportingMetricReader({
    exporter: await metricExporter(metrics),
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(metricIntervalMs, 30_000),
  })
}

/** A receiver that is gone is worth a line, and nothing that it was to be sent. */
function diagnosticsOn(log: Log) {
  const say = (level: 'warn' | 'debug') => (message: string) => log[level]('telemetry', { message })
  return { error: say('warn'), warn: say('warn'), info: say('debug'), debug: say('debug'), verbose: say('debug') }
}
