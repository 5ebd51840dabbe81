import type { SearchOperator, SearchPeriod, SearchQuery } from '../../../contracts/search-port.ts'
import { fail } from '../../../kernel/error.ts'

type Domains = { includeDomains?: readonly string[] | undefined; excludeDomains?: readonly string[] | undefined }

const inQuotes = (text: string) => (/\s/.test(text) ? `"${text}"` : text)

/**
 * Translates a query to a provider's syntax. Unsupported operators are left out, because the provider would treat them
 * as words.
 */
export function toText(query: SearchQuery, supported: ReadonlySet<SearchOperator>, more: Domains = {}): string {
  const { includeDomains = [], excludeDomains = [] } = more
  const has = (operator: SearchOperator) => supported.has(operator)
  const each = (operator: SearchOperator, sign: string, values: readonly string[]) =>
    has(operator) ? values.map((value) => `${sign}${value}`) : []
  return [
    [...query.terms, ...query.phrases.map((phrase) => (has('phrase') ? `"${phrase}"` : phrase))].join(
      query.isAny ? ' OR ' : ' ',
    ),
    ...(has('inTitle') ? query.inTitle.map((text) => `intitle:${inQuotes(text)}`) : query.inTitle),
    ...each('inTitle', '-intitle:', query.notInTitle.map(inQuotes)),
    ...each('inUrl', 'inurl:', query.inUrl.map(inQuotes)),
    ...each('inUrl', '-inurl:', query.notInUrl.map(inQuotes)),
    ...each('without', '-', query.without.map(inQuotes)),
    ...(has('site') ? orGroup([...query.site, ...includeDomains].map((site) => `site:${site}`)) : []),
    ...each('site', '-site:', [...query.notSite, ...excludeDomains]),
    ...(has('filetype') ? orGroup(query.filetype.map((extension) => `filetype:${extension}`)) : []),
    ...each('filetype', '-filetype:', query.notFiletype),
    ...(has('related') && query.related !== undefined ? [`related:${query.related}`] : []),
    ...sizeOperators(query, has),
  ]
    .filter(Boolean)
    .join(' ')
}

const orGroup = (parts: readonly string[]): string[] => (parts.length > 1 ? [`(${parts.join(' OR ')})`] : [...parts])

function sizeOperators({ imageSize, larger }: SearchQuery, has: (operator: SearchOperator) => boolean): string[] {
  return [
    ...(imageSize && has('imageSize') ? [`imagesize:${imageSize.width}x${imageSize.height}`] : []),
    ...(larger && has('larger') ? [`larger:${larger.width}x${larger.height}`] : []),
  ]
}

type MutableQuery = {
  -readonly [K in keyof SearchQuery]: SearchQuery[K] extends readonly string[] ? string[] : SearchQuery[K]
}
type ListField = 'site' | 'notSite' | 'filetype' | 'notFiletype' | 'inUrl' | 'notInUrl' | 'inTitle' | 'notInTitle'

const lists: Record<string, { is: ListField; isNot: ListField; tidy(value: string): string }> = {
  site: { is: 'site', isNot: 'notSite', tidy: siteOf },
  filetype: { is: 'filetype', isNot: 'notFiletype', tidy: extensionOf },
  ext: { is: 'filetype', isNot: 'notFiletype', tidy: extensionOf },
  inurl: { is: 'inUrl', isNot: 'notInUrl', tidy: (value) => value },
  intitle: { is: 'inTitle', isNot: 'notInTitle', tidy: (value) => value },
}
/** Operators that take all words up to the next operator. */
const greedy: Record<string, 'inUrl' | 'inTitle'> = { allinurl: 'inUrl', allintitle: 'inTitle' }
const notIn = { inUrl: 'notInUrl', inTitle: 'notInTitle' } as const

/**
 * Parses a query (spec: POST /v2/search, operators). Never fails: text that is not an operator is a word. An operator
 * followed by a space takes the next word.
 */
export function parseQuery(text: string): SearchQuery {
  const draft = emptyQuery(text.trim())
  const tokens = tokensOf(text)
  let greedyField: 'inUrl' | 'inTitle' | undefined
  for (const [at, token] of tokens.entries()) {
    if (isConjunction(token)) {
      if (token.value !== 'AND' && !greedyField && tokens[at - 1]?.kind !== 'operator') draft.isAny = true
      continue
    }
    if (token.kind === 'operator') greedyField = token.isNegated ? undefined : greedy[token.name]
    if (token.kind !== 'operator' && greedyField && !token.isNegated) draft[greedyField].push(token.value)
    else addToken(draft, token)
  }
  return draft
}

/** True for OR, AND and |. OR has no effect between operators, because several sites are alternatives anyway. */
const isConjunction = ({ kind, value, isNegated }: Token) =>
  kind === 'word' && !isNegated && /^(?:OR|AND|\|)$/.test(value)

const emptyQuery = (text: string): MutableQuery => ({
  text,
  terms: [],
  phrases: [],
  without: [],
  isAny: false,
  site: [],
  notSite: [],
  filetype: [],
  notFiletype: [],
  inUrl: [],
  notInUrl: [],
  inTitle: [],
  notInTitle: [],
  related: undefined,
  imageSize: undefined,
  larger: undefined,
})

function addToken(draft: MutableQuery, token: Token): void {
  const { value, isNegated } = token
  if (token.kind === 'operator') return addOperator(draft, token)
  if (token.kind === 'phrase') return void (isNegated ? draft.without : draft.phrases).push(value)
  return void (isNegated ? draft.without : draft.terms).push(value)
}

function addOperator(draft: MutableQuery, { name, value, isNegated }: Extract<Token, { kind: 'operator' }>): void {
  const list = lists[name]
  const all = greedy[name]
  if (list) draft[isNegated ? list.isNot : list.is].push(list.tidy(value))
  else if (all) draft[isNegated ? notIn[all] : all].push(...value.split(/\s+/).filter(Boolean))
  // The other operators cannot be negated.
  else if (isNegated) return
  else if (name === 'related') draft.related = value
  else if (name === 'imagesize' || name === 'larger') addSize(draft, name, value)
}

/** Adds a size; a malformed one is treated as a word. */
function addSize(draft: MutableQuery, name: 'imagesize' | 'larger', value: string): void {
  const [, width, height] = /^(\d{1,5})[x×](\d{1,5})$/i.exec(value) ?? []
  if (width === undefined || height === undefined) return void draft.terms.push(value)
  draft[name === 'larger' ? 'larger' : 'imageSize'] = { width: Number(width), height: Number(height) }
}

/** Normalizes a site to a host with an optional path: without scheme, wildcard, port and trailing slash. */
function siteOf(value: string): string {
  const bare = value
    .replace(/^https?:\/\//i, '')
    .replace(/^\*?\./, '')
    .replace(/\/+$/, '')
  const [host = '', ...path] = bare.split('/')
  return [hostOf(host), ...path].join('/')
}

/** Converts a non-ASCII host to Punycode; part of a name, such as a TLD, is kept. */
function hostOf(text: string): string {
  const host = text.replace(/:\d*$/, '').toLowerCase()
  return /^[\x21-\x7e]*$/.test(host) ? host : (URL.parse(`http://${host}/`)?.hostname ?? host)
}

function extensionOf(value: string): string {
  return value.toLowerCase().replace(/^\./, '')
}

type Token = { isNegated: boolean; value: string } & ({ kind: 'word' | 'phrase' } | { kind: 'operator'; name: string })

const operators = 'site|filetype|ext|inurl|allinurl|intitle|allintitle|related|imagesize|larger'
// A space after the colon is accepted unless another operator or a minus follows. Two minuses start a command-line
// flag, which is a word.
const space = `(?:\\s+(?!-|(?:${operators}):))?`
const pattern = new RegExp(
  `\\(*(-(?!-))?\\(*(?:(${operators}):${space}(?:"([^"]*)"|([^\\s"]+))|"([^"]*)"|([^\\s"]+))`,
  'giu',
)
const bareOperator = new RegExp(`^(?:${operators}):$`, 'iu')

/** Returns the words, phrases and operators of a query in order. An unclosed quote ends with the text. */
function tokensOf(text: string): Token[] {
  const plain = withClosedQuotes(text.replace(/[“”„‟«»＂]/g, '"'))
  return [...plain.matchAll(pattern)].flatMap(([, minus, name, quoted, bare, phrase, word]): Token[] => {
    const isNegated = minus === '-'
    if (name !== undefined)
      return operatorToken(name.toLowerCase(), quoted ?? withoutClosingBrackets(bare ?? ''), isNegated)
    if (phrase !== undefined) return phrase.trim() === '' ? [] : [{ kind: 'phrase', value: phrase.trim(), isNegated }]
    const value = withoutClosingBrackets(word ?? '')
    return /^[-–—()]*$/.test(value) || bareOperator.test(value) ? [] : [{ kind: 'word', value, isNegated }]
  })
}

const operatorToken = (name: string, value: string, isNegated: boolean): Token[] =>
  value.trim() === '' ? [] : [{ kind: 'operator', name, value: value.trim(), isNegated }]

const withClosedQuotes = (text: string) => ((text.match(/"/g) ?? []).length % 2 === 1 ? `${text}"` : text)

/** Removes closing brackets of a group of words; those of `f(x)` belong to the word. */
function withoutClosingBrackets(text: string): string {
  const excess = text.split(')').length - text.split('(').length
  const atEnd = /\)*$/.exec(text)?.[0].length ?? 0
  return text.slice(0, text.length - Math.max(0, Math.min(excess, atEnd)))
}

const dayMs = 86_400_000
const unitsMs = { h: 3_600_000, d: dayMs, w: 7 * dayMs, m: 30 * dayMs, y: 365 * dayMs }

const forms = 'qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY and sbd:1, joined by commas'

/** Parses the time filter `tbs`. Days are in UTC, the last one inclusive. Fails with BAD_REQUEST if invalid. */
export function parsePeriod(tbs: string, now: number): SearchPeriod {
  const fields = new Map(tbs.split(',').map((part) => pairOf(part.trim())))
  const known = ['qdr', 'cdr', 'cd_min', 'cd_max', 'sbd']
  for (const name of fields.keys()) if (!known.includes(name)) reject(`${name} is not known`)
  if (fields.has('qdr') && (fields.has('cd_min') || fields.has('cd_max')))
    reject('it is either qdr or a range of dates')
  return {
    from: undefined,
    to: undefined,
    preset: undefined,
    ...presetRange(fields, now),
    ...dateRange(fields),
    sort: sortOrder(fields),
  }
}

function pairOf(part: string): [string, string] {
  const at = part.indexOf(':')
  // Some clients send only the letter of qdr.
  if (at < 0) return /^[hdwmy]$/.test(part) ? ['qdr', part] : reject('each part is a name and a value')
  return [part.slice(0, at).toLowerCase(), part.slice(at + 1)]
}

function presetRange(parts: ReadonlyMap<string, string>, now: number): Partial<SearchPeriod> {
  const value = parts.get('qdr')
  if (value === undefined) return {}
  const [, unit, count = '1'] = /^([hdwmy])(\d{0,3})$/i.exec(value) ?? reject('qdr takes h, d, w, m or y')
  const preset = unitOf(unit?.toLowerCase())
  return {
    from: now - unitsMs[preset] * Math.max(1, Number(count || 1)),
    ...(Number(count || 1) === 1 && { preset }),
  }
}

const units = ['h', 'd', 'w', 'm', 'y'] as const
const unitOf = (letter: string | undefined) =>
  units.find((unit) => unit === letter) ?? reject('qdr takes h, d, w, m or y')

function dateRange(parts: ReadonlyMap<string, string>): Partial<SearchPeriod> {
  const [min, max] = [parts.get('cd_min'), parts.get('cd_max')]
  const cdr = parts.get('cdr')
  if (cdr !== undefined && cdr !== '1') reject('cdr takes 1')
  if (min === undefined && max === undefined) return cdr === '1' ? reject('cdr:1 needs cd_min or cd_max') : {}
  const from = min === undefined ? undefined : dateOf(min)
  const to = max === undefined ? undefined : dateOf(max) + dayMs - 1
  if (from !== undefined && to !== undefined && from > to) reject('cd_min is after cd_max')
  return { from, to }
}

/** Parses MM/DD/YYYY (US format); months and days may have one digit. */
function dateOf(text: string): number {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? reject('dates are MM/DD/YYYY')
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1) reject('that day does not exist')
  return date.getTime()
}

function sortOrder(parts: ReadonlyMap<string, string>): SearchPeriod['sort'] {
  const value = parts.get('sbd') ?? '0'
  if (value !== '0' && value !== '1') reject('sbd takes 0 or 1')
  return value === '1' ? 'date' : 'relevance'
}

function reject(why: string): never {
  const message = `Invalid time filter: ${why}. Valid forms: ${forms}.`
  return fail('BAD_REQUEST', { message, details: [{ path: ['tbs'], message, code: 'custom' }] })
}
