import { type AnyOperation, hasBody, type Method, partsOf } from './operation.ts'
import { type Calling, callingOf, type Tool } from './tool.ts'
import { returnsPages, functionName } from './offer.ts'

export type Input = Readonly<Record<string, unknown>>
/** Facts about an operation from which a call of it can be written. */
export type CallableOperation = {
  name: string
  method: Method
  template: string
  /** Absent if it is not offered to agents. */
  calling?: Calling | undefined
  /** True if the operation starts a job with pages. */
  returnsPages: boolean
}

export type Call = { method: Method; path: string; body: Record<string, unknown> | undefined }

/**
 * Returns the request with an input: fields of the path first, the others in the JSON body of a POST or PATCH,
 * otherwise in the query, which omits empty lists.
 */
export function requestOf({ method, template }: Pick<CallableOperation, 'method' | 'template'>, input: Input): Call {
  const slots = [...template.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? '')))
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !slots.includes(name))
  if (hasBody(method)) return { method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => [value].flat().map((item) => [name, textOf(item)])))
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body: undefined }
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

export const callableOf = (operation: AnyOperation, tools: readonly Tool[]): CallableOperation => ({
  name: operation.name,
  ...partsOf(operation.route),
  calling: callingOf(tools, operation),
  returnsPages: returnsPages(operation),
})

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `origin`: URL of the server. A written call contains no key, but reads it from the environment. */
export type Where = { origin: string; hasKey: boolean }

export function restCall(operation: CallableOperation, input: Input, { origin, hasKey }: Where): string {
  const { method, path, body } = requestOf(operation, input)
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    ...(hasKey ? ['-H "Authorization: Bearer $GOSSAMER_API_KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ')
}

export function mcpCall({ calling }: CallableOperation, input: Input): string | undefined {
  if (!calling) return undefined
  const fields = Object.entries(input).map(([field, value]) => [calling.names[field] ?? field, value])
  const params = { name: calling.tool, arguments: { ...calling.fixed, ...Object.fromEntries(fields) } }
  return JSON.stringify({ method: 'tools/call', params }, undefined, 2)
}

/** A command that calls the server; without GOSSAMER_REMOTE_URL, the command would do the work itself. */
export const cliLine = (operation: CallableOperation, input: Input, { origin, hasKey }: Where) =>
  [
    `GOSSAMER_REMOTE_URL=${quoted(origin)}`,
    ...(hasKey ? ['GOSSAMER_REMOTE_KEY="$GOSSAMER_API_KEY"'] : []),
    ownCliLine(operation, input),
  ].join(' \\\n  ')

/** A command that does the work itself, without a server. */
export const ownCliLine = ({ name }: CallableOperation, input: Input) =>
  `gossamer call ${name} ${quoted(JSON.stringify(input))}`

/** A value as a JavaScript literal; a plain `__proto__` key would not create a field. */
const literal = (value: unknown) =>
  JSON.stringify(value, undefined, 2)?.replace(/^( *)"__proto__": /gm, '$1["__proto__"]: ') ?? 'undefined'

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

/** A program for the JavaScript SDK; undefined if it has no such method. */
export function sdkLine({ name }: CallableOperation, input: Input, { origin, hasKey }: Where): string | undefined {
  const [method, ...first] = sdkMethods[name] ?? []
  if (method === undefined) return undefined
  const options = Object.entries(input).filter(([field]) => !first.includes(field))
  const values = [
    ...first.map((field) => input[field]),
    ...(options.length > 0 ? [Object.fromEntries(options)] : []),
  ].map(literal)
  const key = hasKey ? 'process.env.GOSSAMER_API_KEY' : "'none'"
  return `import { Firecrawl } from 'firecrawl'

const client = new Firecrawl({ apiUrl: '${origin}', apiKey: ${key} })
console.log(await client.${method}(${values.join(', ')}))`
}

/** A program that does the work itself, without a server. */
export function libraryLine(operation: CallableOperation, input: Input): string {
  const value = literal(input)
  const call = operation.returnsPages
    ? `for await (const page of gossamer.${functionName(operation.name)}Pages(${value})) console.log(page)`
    : `console.log(await gossamer.${functionName(operation.name)}(${value}))`
  return `import { createGossamer } from 'gossamer-mcp'

const gossamer = createGossamer()
${call}
await gossamer.close()`
}

/** Ways to write down a call, in display order. */
export const ways = ['curl', 'mcp', 'cli', 'sdk', 'library'] as const
export type Way = (typeof ways)[number]

const writers: Readonly<Record<Way, (operation: CallableOperation, input: Input, where: Where) => string | undefined>> =
  { curl: restCall, mcp: mcpCall, cli: cliLine, sdk: sdkLine, library: libraryLine }

/** Returns a call as text; undefined if it cannot be written in this way, for the reason in `missing`. */
export const callAs = (way: Way, operation: CallableOperation, input: Input, where: Where): string | undefined =>
  writers[way](operation, input, where)

export const missing: Readonly<Partial<Record<Way, string>>> = {
  mcp: 'This operation is for REST and the command line; MCP has no tool for it.',
  sdk: 'The SDK has no method for this. Use the REST call.',
}
