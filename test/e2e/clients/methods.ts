/**
 * What the clients of the public service offer, each method with the endpoint behind it. Docs and tests are made from this:
 * a method that is not listed, or listed with an endpoint it does not reach, fails a test.
 */
export type Methods = Readonly<Record<string, Endpoint | Absent | typeof local>>
type Endpoint = `${'GET' | 'POST' | 'DELETE' | 'WebSocket'} /${'v1' | 'v2'}/${string}`
/** Served by the public service alone. */
type Absent = { readonly absent: string }
/** Asks no service. */
export const local = 'local'

const not = <const E extends string>(absent: E) => ({ absent })

/** The methods of a client that have an endpoint here. */
export type Working<M extends Methods> = { [N in keyof M]: M[N] extends Endpoint ? N : never }[keyof M] & string

const monitor = not('/v2/monitor')
const agent = not('/v2/agent')
const extract = not('/v2/extract')
const research = not('/v2/search/research')
const developer = not('/v2/search/developer')
const feedback = not('/v2/feedback')
const catalogue = not('its catalogue of tools')

const sdk = {
  scrape: 'POST /v2/scrape',
  scrapeUrl: 'POST /v2/scrape',
  interact: 'POST /v2/scrape/{id}/interact',
  scrapeExecute: 'POST /v2/scrape/{id}/interact',
  stopInteraction: 'DELETE /v2/scrape/{id}/interact',
  stopInteractiveBrowser: 'DELETE /v2/scrape/{id}/interact',
  deleteScrapeBrowser: 'DELETE /v2/scrape/{id}/interact',
  parse: 'POST /v2/parse',
  search: 'POST /v2/search',
  map: 'POST /v2/map',
  mapUrl: 'POST /v2/map',
  crawl: 'POST /v2/crawl',
  startCrawl: 'POST /v2/crawl',
  crawlUrl: 'POST /v2/crawl',
  asyncCrawlUrl: 'POST /v2/crawl',
  crawlParamsPreview: 'POST /v2/crawl/params-preview',
  getCrawlStatus: 'GET /v2/crawl/{id}',
  checkCrawlStatus: 'GET /v2/crawl/{id}',
  watcher: 'WebSocket /v2/crawl/{id}',
  cancelCrawl: 'DELETE /v2/crawl/{id}',
  getCrawlErrors: 'GET /v2/crawl/{id}/errors',
  checkCrawlErrors: 'GET /v2/crawl/{id}/errors',
  getActiveCrawls: 'GET /v2/crawl/active',
  batchScrape: 'POST /v2/batch/scrape',
  startBatchScrape: 'POST /v2/batch/scrape',
  batchScrapeUrls: 'POST /v2/batch/scrape',
  asyncBatchScrapeUrls: 'POST /v2/batch/scrape',
  getBatchScrapeStatus: 'GET /v2/batch/scrape/{id}',
  checkBatchScrapeStatus: 'GET /v2/batch/scrape/{id}',
  cancelBatchScrape: 'DELETE /v2/batch/scrape/{id}',
  getBatchScrapeErrors: 'GET /v2/batch/scrape/{id}/errors',
  checkBatchScrapeErrors: 'GET /v2/batch/scrape/{id}/errors',
  browser: 'POST /v2/browser',
  browserExecute: 'POST /v2/browser/{id}/execute',
  listBrowsers: 'GET /v2/browser',
  deleteBrowser: 'DELETE /v2/browser/{id}',
  getConcurrency: 'GET /v2/concurrency-check',
  getQueueStatus: 'GET /v2/team/queue-status',
  getCreditUsage: 'GET /v2/team/credit-usage',
  getCreditUsageHistorical: 'GET /v2/team/credit-usage/historical',
  getTokenUsage: 'GET /v2/team/token-usage',
  getTokenUsageHistorical: 'GET /v2/team/token-usage/historical',
  v1: 'POST /v1/scrape',
  isCloudService: local,
  startExtract: extract,
  getExtractStatus: extract,
  extract,
  startAgent: agent,
  getAgentStatus: agent,
  listAgents: agent,
  agent,
  cancelAgent: agent,
  getAgentTrace: agent,
  getAgentSnapshot: agent,
  getAgentThread: agent,
  createMonitor: monitor,
  listMonitors: monitor,
  getMonitor: monitor,
  updateMonitor: monitor,
  deleteMonitor: monitor,
  runMonitor: monitor,
  listMonitorChecks: monitor,
  getMonitorCheck: monitor,
  research,
  developerSearch: developer,
  feedback,
  searchFeedback: feedback,
  findTools: catalogue,
} as const satisfies Methods

const cli = {
  scrape: 'POST /v2/scrape',
  'interact --code': 'POST /v2/scrape/{id}/interact',
  'interact stop': 'DELETE /v2/scrape/{id}/interact',
  parse: 'POST /v2/parse',
  search: 'POST /v2/search',
  map: 'POST /v2/map',
  'experimental download': 'POST /v2/map',
  crawl: 'POST /v2/crawl',
  'crawl ID': 'GET /v2/crawl/{id}',
  'crawl ID --cancel': 'DELETE /v2/crawl/{id}',
  'browser launch-session': 'POST /v2/browser',
  'browser execute': 'POST /v2/browser/{id}/execute',
  'browser list': 'GET /v2/browser',
  'browser close': 'DELETE /v2/browser/{id}',
  '--status': 'GET /v2/team/queue-status',
  'credit-usage': 'GET /v2/team/credit-usage',
  doctor: 'GET /v2/team/credit-usage',
  'doctor ID': not('/v2/support/ask'),
  agent,
  monitor,
  research,
  developer,
  feedback,
  'search-feedback': feedback,
  config: local,
  'view-config': local,
  login: local,
  logout: local,
  init: local,
  setup: local,
  make: local,
  launch: local,
  env: local,
  version: local,
  help: local,
} as const satisfies Methods

const mcp = {
  firecrawl_scrape: 'POST /v2/scrape',
  firecrawl_interact: 'POST /v2/scrape/{id}/interact',
  firecrawl_interact_stop: 'DELETE /v2/scrape/{id}/interact',
  firecrawl_parse: 'POST /v2/parse',
  firecrawl_search: 'POST /v2/search',
  firecrawl_map: 'POST /v2/map',
  firecrawl_crawl: 'POST /v2/crawl',
  firecrawl_check_crawl_status: 'GET /v2/crawl/{id}',
  firecrawl_credit_usage: 'GET /v2/team/credit-usage',
  firecrawl_extract: extract,
  firecrawl_agent: agent,
  firecrawl_agent_status: agent,
  firecrawl_monitor_create: monitor,
  firecrawl_monitor_list: monitor,
  firecrawl_monitor_get: monitor,
  firecrawl_monitor_update: monitor,
  firecrawl_monitor_delete: monitor,
  firecrawl_monitor_run: monitor,
  firecrawl_monitor_checks: monitor,
  firecrawl_monitor_check: monitor,
  firecrawl_research_search_papers: research,
  firecrawl_research_inspect_paper: research,
  firecrawl_research_related_papers: research,
  firecrawl_research_read_paper: research,
  firecrawl_research_search_github: research,
  firecrawl_developer_search: developer,
  firecrawl_feedback: feedback,
  firecrawl_search_feedback: feedback,
  firecrawl_find_tools: catalogue,
} as const satisfies Methods

const deepResearch = not('/v1/deep-research')
const llmsText = not('/v1/llmstxt')

const sdkV1 = {
  scrapeUrl: 'POST /v1/scrape',
  search: 'POST /v1/search',
  mapUrl: 'POST /v1/map',
  crawlUrl: 'POST /v1/crawl',
  asyncCrawlUrl: 'POST /v1/crawl',
  checkCrawlStatus: 'GET /v1/crawl/{id}',
  crawlUrlAndWatch: 'WebSocket /v1/crawl/{id}',
  cancelCrawl: 'DELETE /v1/crawl/{id}',
  checkCrawlErrors: 'GET /v1/crawl/{id}/errors',
  batchScrapeUrls: 'POST /v1/batch/scrape',
  asyncBatchScrapeUrls: 'POST /v1/batch/scrape',
  batchScrapeUrlsAndWatch: 'WebSocket /v1/crawl/{id}',
  checkBatchScrapeStatus: 'GET /v1/batch/scrape/{id}',
  checkBatchScrapeErrors: 'GET /v1/batch/scrape/{id}/errors',
  extract: not('/v1/extract'),
  asyncExtract: not('/v1/extract'),
  getExtractStatus: not('/v1/extract'),
  deepResearch,
  asyncDeepResearch: deepResearch,
  checkDeepResearchStatus: deepResearch,
  __deepResearch: deepResearch,
  __asyncDeepResearch: deepResearch,
  __checkDeepResearchStatus: deepResearch,
  generateLLMsText: llmsText,
  asyncGenerateLLMsText: llmsText,
  checkGenerateLLMsTextStatus: llmsText,
  isCloudService: local,
  getVersion: local,
  init: local,
  prepareHeaders: local,
  postRequest: local,
  getRequest: local,
  deleteRequest: local,
  monitorJobStatus: local,
  isRetryableError: local,
  handleError: local,
} as const satisfies Methods

/** By the name of the installed package. */
export const clients = {
  firecrawl: { title: 'SDK', version: '4.42.0', methods: sdk },
  'firecrawl-cli': { title: 'CLI', version: '1.23.3', methods: cli },
  'firecrawl-mcp': { title: 'MCP server', version: '3.26.0', methods: mcp },
  'firecrawl-sdk-v1': { title: 'SDK', version: '1.29.3', methods: sdkV1 },
} as const
