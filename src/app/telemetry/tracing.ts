import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { outcomeOf } from '../../kernel/error.ts'
import type { OtelSettings } from './telemetry-settings.ts'
import type { Task, Telemetry } from './telemetry.ts'

export type Tracing = Pick<Telemetry, 'continued' | 'traceHeaders'> & {
  traced<T>(task: Task, run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

type Options = Pick<OtelSettings, 'sampler' | 'traceDelayMs'> & { resource: Resource; exporter: SpanExporter }

/**
 * Creates a span for each call and each task within it, as a child of the task that started it. Spans contain names,
 * job ids and error codes, and no page text.
 */
export function createTracing({ resource, exporter, sampler, traceDelayMs }: Options): Tracing {
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, ...(traceDelayMs !== undefined && { scheduledDelayMillis: traceDelayMs }) }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const tracer = provider.getTracer('gossamer')
  return {
    traced({ kind, name, jobId }, run) {
      // Only work inside a call gets a span: background work would keep the trace open.
      if (kind !== 'call' && trace.getActiveSpan()?.isRecording() !== true) return run()
      const attributes = {
        'gossamer.task': kind,
        'gossamer.name': name,
        ...(jobId !== undefined && { 'gossamer.job_id': jobId }),
      }
      const spanKind =
        kind === 'call' ? SpanKind.SERVER : kind === 'store' || kind === 'objects' ? SpanKind.CLIENT : SpanKind.INTERNAL
      return tracer.startActiveSpan(`${kind} ${name}`, { kind: spanKind, attributes }, (span) => runInSpan(span, run))
    },
    continued(headers, run) {
      const carrier = Object.fromEntries(
        ['traceparent', 'tracestate'].flatMap((name) => {
          const value = headers.get(name)
          return value === null ? [] : [[name, value]]
        }),
      )
      return context.with(propagation.extract(context.active(), carrier), run)
    },
    traceHeaders() {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      return carrier
    },
    async close() {
      await provider.shutdown()
      context.disable()
      propagation.disable()
      trace.disable()
    },
  }
}

/** Records only the code of an error, because its message may name a site. */
async function runInSpan<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', outcomeOf(thrown))
    throw thrown
  } finally {
    span.end()
  }
}

function samplerOf({ kind, ratio }: OtelSettings['sampler']): Sampler {
  const own = kind.replace('parentbased_', '')
  const root =
    own === 'always_on'
      ? new AlwaysOnSampler()
      : own === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return own === kind ? root : new ParentBasedSampler({ root })
}
