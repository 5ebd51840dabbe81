import { describe, expect, test } from 'vitest'
import { read, send } from '../helpers/api.ts'
import { serverForAll, forAll } from '../helpers/for-all.ts'
import { httpClient } from '../helpers/mcp-client.ts'
import { type Server, startServer } from '../helpers/program.ts'
import { dashboardQueries, metricsIn } from '../telemetry/dashboard.ts'
import { type ReceivedSpan, startReceiver } from '../telemetry/receiver.ts'
import { results, startTree } from './cluster-kit.ts'

const token = 'the token of the metrics'
const secret = 'a-secret-of-the-caller'

const receiver = forAll(startReceiver)
const tree = forAll(() => startTree(12))
const otel = (name: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-token=for-the-collector',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_SERVICE_NAME: name,
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_METRIC_EXPORT_INTERVAL: '500',
})
const back = serverForAll(() => ({
  ...otel('back'),
  GOSSAMER_CRAWL_THREADS: '1',
  GOSSAMER_METRICS_TOKEN: token,
  GOSSAMER_LOG_LEVEL: 'info',
}))
const front = serverForAll(() => ({ ...otel('front'), GOSSAMER_DATA_DIR: 'memory', GOSSAMER_REMOTE_URL: back.url }))

async function exposition(): Promise<string> {
  const response = await fetch(`${back.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  return response.text()
}

/** Returns the value of a series, with labels in any order. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const line = text.split('\n').find((each) => {
    const [series = ''] = each.split(' ')
    return (
      series.split('{', 1)[0] === name &&
      Object.entries(labels).every(([key, value]) => series.includes(`${key}="${value}"`))
    )
  })
  return Number(line?.split(' ').at(-1) ?? 0)
}

const scrape = (server: Server, body: object, headers: Record<string, string> = {}) =>
  send(`${server.url}/v2/scrape`, { body, headers })

describe('a server with telemetry', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'

  test('has one trace for a forwarded call, from the caller over both servers to the page', async () => {
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    const body = { url: `${tree.origin}/p/1`, headers: { cookie: `session=${secret}` } }
    expect((await scrape(front, body, { traceparent, authorization: `Bearer ${secret}` })).status).toBe(200)
    const ours = () => receiver.spans.filter((span) => span.traceId === traceId)
    const named = (service: string, name: string) =>
      ours().find((span) => span.service === service && span.name === name) as ReceivedSpan
    await expect.poll(() => named('back', 'call scrape')).toBeDefined()
    await expect.poll(() => named('front', 'call scrape')).toBeDefined()
    expect(named('front', 'call scrape').parentSpanId).toBe('b7ad6b7169203331')
    expect(named('back', 'call scrape').parentSpanId).toBe(named('front', 'call scrape').spanId)
    expect(named('back', 'call scrape').attributes['gossamer.job_id']).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of ['fetch http', 'read html', 'store hosts.needsBrowser', 'store jobs.record'])
      expect(named('back', name), name).toMatchObject({ parentSpanId: expect.any(String) })
    expect(receiver.requests).toContainEqual({
      path: '/v1/traces',
      type: 'application/json',
      token: 'for-the-collector',
    })
  })

  test('continues the trace in the metadata of an MCP call', async () => {
    const own = traceId.replace(/^0af/, '1bf')
    const client = await httpClient(`${back.url}/mcp`)
    const traceparent = `00-${own}-b7ad6b7169203331-01`
    await client.sdk.callTool({ name: 'usage', arguments: {}, _meta: { traceparent } })
    await client.close()
    const call = () => receiver.spans.find((span) => span.traceId === own && span.name === 'call token_usage')
    await expect.poll(call).toMatchObject({ parentSpanId: 'b7ad6b7169203331' })
  })

  test('exports error codes, but no URLs, secrets or page text', async () => {
    const refused = await scrape(back, { url: `http://no-such-host.invalid/${secret}` })
    expect(await refused.json()).toMatchObject({ success: false, code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
    const failed = () =>
      receiver.spans.find(({ attributes }) => attributes['error.type'] === 'SCRAPE_DNS_RESOLUTION_ERROR')
    await expect.poll(failed).toMatchObject({ status: { code: 2 } })
    await expect.poll(() => [...receiver.metrics]).toContain('gossamer_calls_total')
    const sent = receiver.bodies.join('\n')
    for (const text of [secret, 'no-such-host', tree.origin, 'Words.']) expect(sent).not.toContain(text)
  })

  test('counts calls, stages, cache and pages of a crawl, including its crawl thread', async () => {
    const body = { url: `${tree.origin}/p/0`, crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } }
    const before = await exposition()
    const { id } = await read<{ id: string }>(`${back.url}/v2/crawl`, body)
    expect(await results(() => back.url, id)).toMatchObject({ status: 'completed', completed: 12 })
    const fetched = (text: string) =>
      valueOf(text, 'gossamer_stage_duration_seconds_count', { stage: 'fetch', part: 'http' })
    await expect.poll(async () => fetched(await exposition()) - fetched(before)).toBeGreaterThanOrEqual(12)
    for (const _ of [1, 2]) await scrape(back, { url: `${tree.origin}/p/2` })
    const text = await exposition()
    expect(valueOf(text, 'gossamer_calls_total', { operation: 'scrape', outcome: 'ok' })).toBe(3)
    expect(valueOf(text, 'gossamer_calls_total', { operation: 'scrape', outcome: 'SCRAPE_DNS_RESOLUTION_ERROR' })).toBe(
      1,
    )
    expect(valueOf(text, 'gossamer_call_duration_seconds_count', { operation: 'scrape' })).toBe(4)
    expect(valueOf(text, 'gossamer_cache_lookups_total', { result: 'hit' })).toBeGreaterThanOrEqual(1)
    expect(valueOf(text, 'gossamer_jobs', { kind: 'crawl', state: 'running' })).toBe(0)
    expect(valueOf(text, 'gossamer_database_up')).toBe(1)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(text).not.toContain(secret)
  })

  test('exports every metric of the Grafana dashboard', async () => {
    const text = await exposition()
    const names = new Set(text.split('\n').map((line) => line.split(/[{ ]/, 1)[0]))
    const dashboardMetrics = metricsIn(dashboardQueries())
    expect(dashboardMetrics.length).toBeGreaterThan(10)
    expect(dashboardMetrics.filter((name) => !names.has(name))).toEqual([])
  })

  test('logs the ids of request and job', async () => {
    const requestId = 'of-this-test'
    await scrape(back, { url: `${tree.origin}/p/3` }, { 'x-request-id': requestId })
    const line = () =>
      back.program
        .stderr()
        .split('\n')
        .find((each) => each.includes(requestId))
    await expect.poll(line).toBeDefined()
    expect(JSON.parse(line() ?? '')).toMatchObject({
      event: 'request',
      requestId,
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('does not start with an unsupported variable', async () => {
    const ended = startServer({ GOSSAMER_DATA_DIR: 'memory', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    await expect(ended).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL')
  })
})
