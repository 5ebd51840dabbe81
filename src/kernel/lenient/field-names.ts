import { isDeepStrictEqual } from 'node:util'
import { isRecord, ownValue } from '../../util/json.ts'
import type { ObjectShape, Place } from './schema-node.ts'

/**
 * Aliases: other names that callers use for a field. An alias applies only if the schema has no field of that name, and
 * if it is the alias of exactly one field. A name with another meaning is not an alias: `seconds` does not stand for
 * `milliseconds`.
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

/** True if agents were shown this name for the field, so its use is not reported. */
const isShownWord = (name: string, field: string, context: string): boolean =>
  ownValue(shownWords, context)?.[field] === name

/** Names of id fields. If an object has only one of these fields, `idWords` are its aliases. */
const idFields: readonly string[] = ['id', 'sessionId', 'jobId']
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

function aliasesOf(field: string, context: string, isOnlyId: boolean): readonly string[] {
  return [
    ...(ownValue(fieldAliases, field) ?? []),
    ...(ownValue(ownValue(narrowAliases, context) ?? {}, field) ?? []),
    ...(isOnlyId && idFields.includes(field) ? idWords : []),
  ]
}

/** Aliases of enum values. An alias applies only if the enum does not contain it. */
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

/** Options of `scrapeOptions` that are also accepted next to it, because jobs have no options of these names. */
const pageFields: readonly string[] = [
  'formats',
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'waitFor',
  'mobile',
  'blockAds',
  'jsonOptions',
]

/** Normalises a name: lower case, without separators. */
export const plainName = (name: string): string => name.replace(/[\s_.-]+/g, '').toLowerCase()
export const withoutS = (name: string): string => name.replace(/s$/, '')

type Sent = Record<string, unknown>

/** Returns the field for which an unknown name is an alias. */
type FieldFinder = (name: string) => string | undefined

/** Finders by object schema and context. */
const finders = new WeakMap<ObjectShape, Map<string, FieldFinder>>()

/** Renames aliases to their fields. Ambiguous and unknown names stay, so that validation reports them. */
export function withOwnNames(sent: Sent, shape: ObjectShape, { path, context, report }: Place): Sent {
  if (shape.isOpen || Object.keys(sent).every((name) => shape.fields.has(name))) return sent
  const renamed = new Map<string, string>()
  for (const [field, names] of claimsIn(sent, shape, context)) {
    const isSent = Object.hasOwn(sent, field) && sent[field] !== null
    const all = isSent ? [field, ...names] : names
    // Names with different values may stand for different fields.
    if (all.some((name) => !isDeepStrictEqual(sent[name], sent[all[0] ?? '']))) continue
    for (const name of names) renamed.set(name, field)
  }
  for (const [name, field] of renamed) if (!isShownWord(name, field, context)) report([...path, name], field)
  return withPageFields(rewritten(sent, shape, renamed), shape, { path, context, report })
}

/** Unknown names of the object, by the field of which each is an alias. */
function claimsIn(sent: Sent, shape: ObjectShape, context: string): ReadonlyMap<string, readonly string[]> {
  const findField = finderFor(shape, context)
  const claims = new Map<string, string[]>()
  for (const name of Object.keys(sent)) {
    const field = shape.fields.has(name) || sent[name] === null ? undefined : findField(name)
    if (field !== undefined) claims.set(field, [...(claims.get(field) ?? []), name])
  }
  return claims
}

/** Renames these fields. Drops null values of unknown names, and of fields that a renamed one replaces. */
function rewritten(sent: Sent, { fields }: ObjectShape, renamed: ReadonlyMap<string, string>): Sent {
  const replaced = new Set(renamed.values())
  const all = Object.entries(sent)
  const rest = all.filter(([name, value]) => value !== null || (fields.has(name) && !replaced.has(name)))
  if (rest.length === all.length && renamed.size === 0) return sent
  return Object.fromEntries(rest.map(([name, value]) => [renamed.get(name) ?? name, value]))
}

function finderFor(shape: ObjectShape, context: string): FieldFinder {
  const ofShape = finders.get(shape) ?? new Map<string, FieldFinder>()
  finders.set(shape, ofShape)
  const finder = ofShape.get(context) ?? createFinder(shape, context)
  ofShape.set(context, finder)
  return finder
}

const maxNameLength = 100

/** Matches by spelling, then by alias, then by singular or plural: `url` for `urls`. */
function createFinder({ fields }: ObjectShape, context: string): FieldFinder {
  const names = [...fields.keys()]
  const isOnlyId = idFields.filter((name) => fields.has(name)).length === 1
  const spelt = byKey(names, (name) => [plainName(name)])
  const aliased = byKey(names, (name) => aliasesOf(name, context, isOnlyId).map(plainName))
  const counted = byKey(names, (name) => [withoutS(plainName(name))])
  return (name) => {
    if (name.length > maxNameLength) return undefined
    const plain = plainName(name)
    return spelt.get(plain) ?? aliased.get(plain) ?? counted.get(withoutS(plain))
  }
}

/** Fields by their keys; a key shared by two fields is left out. */
function byKey(names: readonly string[], keysOf: (name: string) => readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>()
  for (const name of names) for (const key of new Set(keysOf(name))) found.set(key, found.has(key) ? undefined : name)
  return new Map([...found].flatMap(([key, name]) => (name === undefined ? [] : [[key, name] as const])))
}

/** Moves page options that were sent next to `scrapeOptions` into it. */
function withPageFields(sent: Sent, shape: ObjectShape, { path, report }: Place): Sent {
  const page = shape.fields.get('scrapeOptions')
  const options = sent['scrapeOptions'] ?? {}
  if (page?.shape.kind !== 'object' || !isRecord(options)) return sent
  const { fields } = page.shape
  const findField = finderFor(page.shape, 'scrapeOptions')
  const moved = Object.keys(sent).flatMap((name) => {
    const field = shape.fields.has(name) ? undefined : fields.has(name) ? name : findField(name)
    return field !== undefined && pageFields.includes(field) && !Object.hasOwn(options, field) ? [{ name, field }] : []
  })
  if (moved.length === 0) return sent
  for (const { name, field } of moved) report([...path, name], `scrapeOptions.${field}`)
  const rest = Object.entries(sent).filter(([name]) => !moved.some((each) => each.name === name))
  const inPage = moved.map(({ name, field }) => [field, sent[name]])
  return { ...Object.fromEntries(rest), scrapeOptions: { ...options, ...Object.fromEntries(inPage) } }
}
