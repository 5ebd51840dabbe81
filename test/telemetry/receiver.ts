import { bodyOf, serve } from '../helpers/listen.ts'

type Attribute = { key: string; value: { stringValue?: string } }
type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number }
}
export type ReceivedSpan = Omit<OtlpSpan, 'attributes'> & {
  service: string | undefined
  attributes: Record<string, string | undefined>
}
type Resource = { attributes: Attribute[] }
type Traces = { resourceSpans: { resource: Resource; scopeSpans: { spans: OtlpSpan[] }[] }[] }
type Metrics = { resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[] }

const record = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

/** Receives OTLP over HTTP, like a collector, and stores the spans and the names of metrics. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = []
  const metrics = new Set<string>()
  const bodies: string[] = []
  const requests: { path: string; type: string; token: string | undefined }[] = []
  const { origin, close } = await serve(async (request, response) => {
    const { url: path = '', headers } = request
    const type = headers['content-type'] ?? ''
    requests.push({ path, type, token: headers['x-token'] as string | undefined })
    const body = await bodyOf(request)
    bodies.push(body)
    if (type === 'application/json' && path === '/v1/traces') takeSpans(JSON.parse(body) as Traces)
    if (type === 'application/json' && path === '/v1/metrics') takeMetrics(JSON.parse(body) as Metrics)
    response.setHeader('content-type', type)
    response.end(type === 'application/json' ? '{}' : '')
  })

  function takeSpans({ resourceSpans }: Traces): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          attributes: record(span.attributes),
          service: record(resource.attributes)['service.name'],
        })
  }
  function takeMetrics({ resourceMetrics }: Metrics): void {
    for (const { scopeMetrics } of resourceMetrics)
      for (const { name } of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.add(name)
  }
  return { url: origin, spans, metrics, bodies, requests, close }
}
