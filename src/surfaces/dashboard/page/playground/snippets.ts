import type { CataloguedOperation } from '../../catalogue.ts'

export type Input = Readonly<Record<string, unknown>>
export type Call = { method: CataloguedOperation['method']; path: string; body: object | undefined }

/** An input written as JSON; undefined for what is no object. */
export function objectIn(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The request that carries an input: slots of the path first, the rest as the body of a POST or else as the query. */
export function requestOf({ method, template }: CataloguedOperation, input: Input): Call {
  const slots = [...template.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? '')))
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !slots.includes(name))
  if (method === 'POST' || method === 'PATCH') return { method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => [value].flat().map((item) => [name, textOf(item)])))
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body: undefined }
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

type Where = { origin: string; hasKey: boolean }

export function restCall(operation: CataloguedOperation, input: Input, { origin, hasKey }: Where): string {
  const { method, path, body } = requestOf(operation, input)
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    ...(hasKey ? ['-H "Authorization: Bearer $GOSSAMER_API_KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ')
}

export function mcpCall({ calling }: CataloguedOperation, input: Input): string | undefined {
  if (!calling) return undefined
  const fields = Object.entries(input).map(([field, value]) => [calling.names[field] ?? field, value])
  const params = { name: calling.tool, arguments: { ...calling.fixed, ...Object.fromEntries(fields) } }
  return JSON.stringify({ method: 'tools/call', params }, undefined, 2)
}

/** The command line works on its own machine, unless it is told of another server. */
export const cliLine = ({ name }: CataloguedOperation, input: Input, { origin, hasKey }: Where) =>
  [
    `GOSSAMER_REMOTE_URL=${quoted(origin)}`,
    ...(hasKey ? ['GOSSAMER_REMOTE_KEY="$GOSSAMER_API_KEY"'] : []),
    `gossamer call ${name} ${quoted(JSON.stringify(input))}`,
  ].join(' \\\n  ')

/** Methods of the SDK, with the fields that they take before the options. */
export const sdkMethods: Readonly<Record<string, readonly [method: string, ...first: string[]]>> = {
  scrape: ['scrape', 'url'],
  search: ['search', 'query'],
  map: ['map', 'url'],
  crawl: ['startCrawl', 'url'],
  crawl_status: ['getCrawlStatus', 'id'],
  crawl_errors: ['getCrawlErrors', 'id'],
  crawl_cancel: ['cancelCrawl', 'id'],
  crawl_active: ['getActiveCrawls'],
  crawl_params_preview: ['crawlParamsPreview', 'url', 'prompt'],
  batch_scrape: ['startBatchScrape', 'urls'],
  batch_status: ['getBatchScrapeStatus', 'id'],
  batch_errors: ['getBatchScrapeErrors', 'id'],
  batch_cancel: ['cancelBatchScrape', 'id'],
  extract: ['startExtract'],
  extract_status: ['getExtractStatus', 'id'],
  agent: ['startAgent'],
  interact: ['interact', 'jobId'],
  interact_stop: ['stopInteraction', 'jobId'],
  browser_create: ['browser'],
  browser_execute: ['browserExecute', 'sessionId'],
  browser_close: ['deleteBrowser', 'sessionId'],
  browser_list: ['listBrowsers'],
  concurrency_check: ['getConcurrency'],
  queue_status: ['getQueueStatus'],
  credit_usage: ['getCreditUsage'],
  credit_usage_historical: ['getCreditUsageHistorical', 'byApiKey'],
  token_balance: ['getTokenUsage'],
  token_usage: ['getTokenUsageHistorical', 'byApiKey'],
}

/** A program for the JavaScript SDK; undefined where it has no method. */
export function sdkLine({ name }: CataloguedOperation, input: Input, { origin, hasKey }: Where): string | undefined {
  const [method, ...first] = sdkMethods[name] ?? []
  if (method === undefined) return undefined
  const options = Object.entries(input).filter(([field]) => !first.includes(field))
  const values = [
    ...first.map((field) => input[field]),
    ...(options.length > 0 ? [Object.fromEntries(options)] : []),
  ].map((value) => JSON.stringify(value, undefined, 2) ?? 'undefined')
  const key = hasKey ? 'process.env.GOSSAMER_API_KEY' : "'none'"
  return `import { Firecrawl } from 'firecrawl'

const client = new Firecrawl({ apiUrl: '${origin}', apiKey: ${key} })
console.log(await client.${method}(${values.join(', ')}))`
}
