import { z } from 'zod'

/** Kinds of OpenTelemetry data that are sent, and how. Nothing is sent unless an address is set. */
export type OtelSettings = {
  traces: Sending | undefined
  metrics: Sending | undefined
  sampler: { kind: (typeof samplers)[number]; ratio: number }
  /** Time for which spans are collected before they are sent. */
  traceDelayMs: number | undefined
  /** Interval at which metrics are sent. */
  metricIntervalMs: number
}
type Sending = { protocol: 'http/json' | 'http/protobuf' }

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const ms = z.coerce.number().int().positive().optional()
const exporter = z.enum(['otlp', 'none']).default('otlp')
const protocol = z.enum(['http/json', 'http/protobuf'])

/**
 * Variables that Gossamer reads. Of an address, it only checks if it is set: the OpenTelemetry libraries read
 * addresses, headers and the resource themselves.
 */
const variables = z.object({
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z.string().optional(),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: ms,
  OTEL_METRIC_EXPORT_INTERVAL: ms,
})

/** Fails with an Error that names the invalid variable. An empty value means unset, as the specification requires. */
export function otelSettings(env: NodeJS.ProcessEnv): OtelSettings {
  const set = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('OTEL_') && value !== ''),
  )
  const { data, error } = variables.safeParse(set)
  if (!data) throw new Error(`OpenTelemetry: ${error.issues.map(faultOf).join('; ')}`)
  const { OTEL_EXPORTER_OTLP_ENDPOINT: everywhere, OTEL_EXPORTER_OTLP_PROTOCOL: usual } = data
  const sending = (kind: 'otlp' | 'none', endpoint: string | undefined, own: Sending['protocol'] | undefined) =>
    data.OTEL_SDK_DISABLED === 'true' || kind === 'none' || (endpoint ?? everywhere) === undefined
      ? undefined
      : { protocol: own ?? usual }
  return {
    traces: sending(
      data.OTEL_TRACES_EXPORTER,
      data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
      data.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
    ),
    metrics: sending(
      data.OTEL_METRICS_EXPORTER,
      data.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
      data.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL,
    ),
    sampler: { kind: data.OTEL_TRACES_SAMPLER, ratio: data.OTEL_TRACES_SAMPLER_ARG },
    traceDelayMs: data.OTEL_BSP_SCHEDULE_DELAY,
    metricIntervalMs: data.OTEL_METRIC_EXPORT_INTERVAL ?? 60_000,
  }
}

const faultOf = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}`
