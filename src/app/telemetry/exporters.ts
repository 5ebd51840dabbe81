import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { OtelSettings } from './otel-settings.ts'

/** Where to, by which headers and how long to wait they read from the OTEL_EXPORTER_OTLP_* variables themselves. */
export async function spanExporter({ protocol }: NonNullable<OtelSettings['traces']>): Promise<SpanExporter> {
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter()
}

export async function metricExporter({ protocol }: NonNullable<OtelSettings['metrics']>): Promise<PushMetricExporter> {
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter()
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter()
}
