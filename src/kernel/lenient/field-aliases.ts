/**
 * Other names that callers use for a field. An alias applies only if the object has no field of that name and it
 * stands for exactly one field. A name that would change the meaning (unit, scope) is not an alias: `wait: {seconds}`
 * does not match `milliseconds`.
 */
type Table = Readonly<Record<string, readonly string[]>>

const fieldAliases: Table = {
  url: [
    'website',
    'link',
    'uri',
    'href',
    'pageUrl',
    'siteUrl',
    'targetUrl',
    'webUrl',
    'startUrl',
    'address',
    'domain',
    'site',
  ],
  urls: ['links', 'pages', 'websites', 'uris', 'urlList'],
  query: ['q', 'searchQuery', 'searchTerm', 'keywords', 'search', 'term', 'text'],
  search: ['query', 'q', 'searchQuery', 'searchTerm', 'keywords', 'filter'],
  question: ['query', 'q', 'prompt', 'problem', 'issue', 'message', 'ask'],
  prompt: ['instruction', 'instructions', 'task', 'query', 'question', 'goal'],
  schema: ['jsonSchema', 'outputSchema', 'responseSchema'],
  limit: ['maxPages', 'maxResults', 'numResults', 'count', 'max', 'pageLimit', 'maxUrls', 'maxLinks', 'topK', 'size'],
  maxUrls: ['limit', 'maxPages', 'max'],
  maxPages: ['limit', 'pageLimit'],
  pages: ['pageMarkdown'],
  maxDiscoveryDepth: ['maxDepth', 'depth', 'crawlDepth', 'maxCrawlDepth'],
  maxCharacters: ['maxChars', 'maxLength', 'characterLimit', 'maxSize'],
  skip: ['offset', 'from', 'start'],
  offset: ['start', 'startIndex', 'startAt'],
  find: ['search', 'query', 'text', 'filter'],
  scope: ['ref', 'target', 'element'],
  screenshot: ['includeScreenshot', 'withScreenshot', 'takeScreenshot'],
  interactiveOnly: ['onlyInteractive', 'interactive'],
  showHidden: ['includeHidden'],
  acts: ['actions', 'steps', 'action', 'act', 'commands'],
  actions: ['acts', 'steps', 'browserActions'],
  type: ['action', 'act', 'kind', 'actionType'],
  target: ['ref', 'selector', 'element', 'locator', 'label'],
  selector: ['target', 'element', 'locator', 'cssSelector', 'css'],
  key: ['keys', 'keyName'],
  submit: ['pressEnter'],
  milliseconds: ['ms', 'timeMs', 'durationMs'],
  base64: ['content', 'data', 'contentBase64', 'fileContent', 'bytes'],
  filename: ['name', 'fileName'],
  path: ['filePath', 'localPath'],
  formats: ['outputFormats', 'output', 'returnFormats'],
  jsonOptions: ['jsonConfig', 'extractOptions'],
  onlyMainContent: ['mainContentOnly', 'mainContent', 'onlyMain'],
  includeTags: ['includeSelectors'],
  excludeTags: ['excludeSelectors', 'removeTags', 'removeSelectors'],
  waitFor: ['waitMs', 'waitForMs'],
  headers: ['httpHeaders', 'requestHeaders', 'customHeaders'],
  skipTlsVerification: ['ignoreTlsErrors', 'ignoreHttpsErrors', 'insecure'],
  includePaths: ['include', 'includePatterns', 'pathsInclude', 'includeUrls'],
  excludePaths: ['exclude', 'excludePatterns', 'pathsExclude', 'excludeUrls'],
  allowSubdomains: ['includeSubdomains', 'crawlSubdomains', 'subdomains'],
  includeSubdomains: ['allowSubdomains', 'subdomains'],
  allowExternalLinks: ['followExternalLinks', 'externalLinks', 'includeExternalLinks'],
  crawlEntireDomain: ['entireDomain', 'wholeDomain', 'wholeSite', 'allowBackwardLinks'],
  ignoreQueryParameters: ['ignoreQueryParams', 'stripQuery'],
  includeDomains: ['domains', 'sites', 'allowedDomains'],
  excludeDomains: ['blockedDomains', 'excludeSites'],
  sources: ['searchType', 'type', 'searchSources'],
  scrapeOptions: ['scrapeConfig', 'pageOptions', 'scrape'],
  webhook: ['webhookUrl', 'callbackUrl', 'callback'],
  enableWebSearch: ['webSearch', 'useWebSearch', 'allowWebSearch'],
  language: ['lang'],
  code: ['script', 'source', 'javascript', 'js'],
  script: ['code', 'javascript', 'js', 'expression', 'function'],
  country: ['countryCode', 'region'],
  languages: ['language', 'lang', 'locale'],
  name: ['profileName', 'id'],
  schedule: ['cron', 'interval', 'frequency', 'every'],
  timezone: ['tz', 'timeZone'],
  status: ['state'],
  askPerson: ['askUser', 'askHuman'],
  endpoint: ['kind', 'type', 'jobType'],
  appendToId: ['appendTo', 'batchId'],
  checkId: ['check'],
  row: ['rowNumber', 'rowIndex', 'pageNumber'],
  context: ['details'],
}

/** Aliases within one kind of action or format, or one operation. */
const narrowAliases: Readonly<Record<string, Table>> = {
  fill: { value: ['text', 'content', 'input'] },
  type: { value: ['text', 'content', 'input'] },
  write: { text: ['value', 'content', 'input'] },
  press: { key: ['value', 'text'] },
  check: { checked: ['value', 'state'] },
  select: { options: ['value', 'values', 'text'] },
  navigate: { url: ['value', 'target', 'text', 'to'] },
  drag: { to: ['destination', 'endTarget', 'toRef', 'endRef'], target: ['from', 'source', 'startRef', 'fromRef'] },
  dialog: { value: ['text', 'promptText'] },
  scroll: { direction: ['to', 'position'], until: ['text', 'untilText'] },
  tab: { do: ['operation', 'value'], tab: ['id', 'tabId', 'index'] },
  extract: { as: ['format'] },
  attributes: { selectors: ['attributes'] },
  question: { question: ['prompt', 'query'] },
  highlights: { query: ['prompt', 'topic'] },
  browser_execute: { timeout: ['timeoutSeconds', 'timeoutSecs'] },
  interact: { timeout: ['timeoutSeconds', 'timeoutSecs'] },
  browser_create: {
    ttl: ['ttlSeconds', 'lifetimeSeconds', 'maxLifetimeSeconds'],
    activityTtl: ['idleTimeoutSeconds', 'inactivitySeconds', 'idleTtl'],
  },
  scrape: { timeout: ['timeoutMs', 'timeoutMilliseconds'], maxAge: ['maxAgeMs'] },
  map: { timeout: ['timeoutMs'] },
  search: { timeout: ['timeoutMs'], tbs: ['timeRange', 'time', 'freshness'] },
  monitor: { extract: ['jsonOptions'] },
}

/** Argument names shown to agents for fields of actions, to match browser_act; by kind and field. */
const shownWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wait: { selector: 'target' },
  click: { selector: 'target' },
  scroll: { selector: 'target' },
  write: { text: 'value' },
}

/** True if a name is as valid as the field's own, so its use is not reported. */
export const isShownWord = (name: string, field: string, context: string): boolean =>
  Object.hasOwn(shownWords, context) && shownWords[context]?.[field] === name

/** Aliases of an id, for objects with only one such field. */
export const idFields: readonly string[] = ['id', 'sessionId', 'jobId']
const idWords = [
  'id',
  'sessionId',
  'jobId',
  'scrapeId',
  'crawlId',
  'batchId',
  'extractId',
  'agentId',
  'browserId',
  'browserSessionId',
  'interactId',
  'monitorId',
  'workflowId',
  'taskId',
  'session',
  'job',
  'browser',
  'uuid',
]

export function aliasesOf(field: string, context: string, isOnlyId: boolean): readonly string[] {
  const narrow = Object.hasOwn(narrowAliases, context) ? (narrowAliases[context] ?? {}) : {}
  return [
    ...(Object.hasOwn(fieldAliases, field) ? (fieldAliases[field] ?? []) : []),
    ...(Object.hasOwn(narrow, field) ? (narrow[field] ?? []) : []),
    ...(isOnlyId && idFields.includes(field) ? idWords : []),
  ]
}

/** Aliases of an enum value, used if the list has the value but not the alias. */
export const valueAliases: Table = {
  node: ['js', 'javascript', 'nodejs', 'playwright'],
  python: ['py', 'python3'],
  bash: ['sh', 'shell'],
  markdown: ['md'],
  rawHtml: ['raw', 'source'],
  navigate: ['goto', 'open', 'visit', 'go', 'openUrl', 'load'],
  doubleClick: ['dblclick'],
  fill: ['input', 'setValue', 'enterText', 'clearAndType'],
  type: ['write', 'typeText'],
  press: ['keypress', 'key', 'pressKey', 'sendKeys'],
  select: ['selectOption', 'choose', 'dropdown'],
  wait: ['sleep', 'pause', 'waitFor', 'delay'],
  back: ['goBack'],
  forward: ['goForward'],
  reload: ['refresh'],
  click: ['tap', 'leftClick'],
  executeJavascript: ['evaluate', 'javascript', 'js', 'executeJs', 'executeScript', 'runJavascript', 'script'],
  write: ['type', 'typeText', 'input'],
  end: ['bottom'],
  create: ['add', 'new'],
  delete: ['remove'],
  run: ['check', 'checkNow', 'trigger'],
  get: ['show', 'status'],
  update: ['edit', 'change'],
  include: ['use'],
  skip: ['ignore'],
  batch_scrape: ['batch'],
  web: ['auto', 'neural', 'keyword', 'hybrid', 'fast', 'deep'],
}

/** Field that is set if a scalar is sent where an object is expected. */
export const shorthands: Readonly<Record<string, string>> = {
  profile: 'name',
  location: 'country',
  jsonOptions: 'prompt',
}

/** Options of `scrapeOptions` that the multi-page job itself does not have, so they are understood outside it too. */
export const pageFields: readonly string[] = [
  'formats',
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'waitFor',
  'mobile',
  'blockAds',
  'jsonOptions',
]

/** Syntax of lists written in one string. Other lists are split at commas only if no item can contain one. */
export const listSyntax: Readonly<Record<string, 'urls' | 'patterns' | 'whole'>> = {
  urls: 'urls',
  includePaths: 'patterns',
  excludePaths: 'patterns',
  includeTags: 'whole',
  excludeTags: 'whole',
}
