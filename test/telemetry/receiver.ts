import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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

/** Receives OTLP over HTTP, like a collector, and keeps it as JSON. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = []
  const metrics = new Set<string>()
  const bodies: string[] = []
  const requests: { path: string; type: string; token: string | undefined }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const type = headers['content-type'] ?? ''
      requests.push({ path, type, token: headers['x-token'] as string | undefined })
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      if (type === 'application/json' && path === '/v1/traces') takeSpans(JSON.parse(body) as Traces)
      if (type === 'application/json' && path === '/v1/metrics') takeMetrics(JSON.parse(body) as Metrics)
      response.setHeader('content-type', type)
      response.end(type === 'application/json' ? '{}' : '')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))

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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    bodies,
    requests,
    close: () => void server.close(),
  }
}
