import { describe, expect, test } from 'vitest'
import { otelSettings } from '../../src/app/telemetry/telemetry-settings.ts'

const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

describe('OpenTelemetry', () => {
  test.each([{ OTEL_SERVICE_NAME: 'crawler' }, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }])('is off with %j', (env) => {
    expect(otelSettings(env)).toMatchObject({ traces: undefined, metrics: undefined })
  })

  test('sends traces and metrics by protobuf to one address by default', () => {
    const sent = { protocol: 'http/protobuf' }
    expect(otelSettings(address)).toEqual({
      traces: sent,
      metrics: sent,
      sampler: { kind: 'parentbased_always_on', ratio: 1 },
      traceDelayMs: undefined,
      metricIntervalMs: 60_000,
    })
  })

  test.each([
    ['traces alone', { OTEL_METRICS_EXPORTER: 'none' }, ['traces']],
    ['metrics alone', { OTEL_TRACES_EXPORTER: 'none' }, ['metrics']],
    ['nothing if disabled', { OTEL_SDK_DISABLED: 'true' }, []],
  ])('sends %s', (_, more, expected) => {
    const { traces, metrics } = otelSettings({ ...address, ...more })
    expect(Object.entries({ traces, metrics }).flatMap(([name, sent]) => (sent ? [name] : []))).toEqual(expected)
  })

  test('accepts an address and a protocol for traces alone', () => {
    const own = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    }
    expect(otelSettings(own)).toMatchObject({ traces: { protocol: 'http/json' }, metrics: undefined })
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '-1'],
  ])('refuses %s=%s by name', (name, value) => expect(() => otelSettings({ ...address, [name]: value })).toThrow(name))
})
