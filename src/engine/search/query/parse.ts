import type { SearchQuery } from '../../../contracts/search.ts'

type Draft = {
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
/** They take all words up to the next operator, with or without a space after the colon. */
const greedy: Record<string, 'inUrl' | 'inTitle'> = { allinurl: 'inUrl', allintitle: 'inTitle' }
const notIn = { inUrl: 'notInUrl', inTitle: 'notInTitle' } as const

/**
 * Takes a query apart (spec: POST /v2/search, operators). Never fails: what is no operator is a word. An operator with
 * nothing behind it takes the next word.
 */
export function parseQuery(text: string): SearchQuery {
  const draft = emptyDraft(text.trim())
  const tokens = tokensOf(text)
  let taker: 'inUrl' | 'inTitle' | undefined
  for (const [at, token] of tokens.entries()) {
    if (isJoint(token)) {
      if (token.value !== 'AND' && !taker && tokens[at - 1]?.kind !== 'operator') draft.isAny = true
      continue
    }
    if (token.kind === 'operator') taker = token.isNegated ? undefined : greedy[token.name]
    if (token.kind !== 'operator' && taker && !token.isNegated) draft[taker].push(token.value)
    else place(draft, token)
  }
  return draft
}

/** Between operators, OR says nothing new: several sites are an or in any case. */
const isJoint = ({ kind, value, isNegated }: Token) => kind === 'word' && !isNegated && /^(?:OR|AND|\|)$/.test(value)

const emptyDraft = (text: string): Draft => ({
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

function place(draft: Draft, token: Token): void {
  const { value, isNegated } = token
  if (token.kind === 'operator') return placeOperator(draft, token)
  if (token.kind === 'phrase') return void (isNegated ? draft.without : draft.phrases).push(value)
  return void (isNegated ? draft.without : draft.terms).push(value)
}

function placeOperator(draft: Draft, { name, value, isNegated }: Extract<Token, { kind: 'operator' }>): void {
  const list = lists[name]
  const all = greedy[name]
  if (list) draft[isNegated ? list.isNot : list.is].push(list.tidy(value))
  else if (all) draft[isNegated ? notIn[all] : all].push(...value.split(/\s+/).filter(Boolean))
  // The others have no opposite.
  else if (isNegated) return
  else if (name === 'related') draft.related = value
  else if (name === 'imagesize' || name === 'larger') placeSize(draft, name, value)
}

/** A size that is none is a word like any other. */
function placeSize(draft: Draft, name: 'imagesize' | 'larger', value: string): void {
  const [, width, height] = /^(\d{1,5})[x×](\d{1,5})$/i.exec(value) ?? []
  if (width === undefined || height === undefined) return void draft.terms.push(value)
  draft[name === 'larger' ? 'larger' : 'imageSize'] = { width: Number(width), height: Number(height) }
}

/** A host, perhaps with a path: the host as in URLs, without scheme, wildcard, port and final slash. */
function siteOf(value: string): string {
  const bare = value
    .replace(/^https?:\/\//i, '')
    .replace(/^\*?\./, '')
    .replace(/\/+$/, '')
  const [host = '', ...path] = bare.split('/')
  return [hostOf(host), ...path].join('/')
}

/** Letters beyond ASCII are written as in URLs; a part of a name, such as a country, stays as it is. */
function hostOf(text: string): string {
  const host = text.replace(/:\d*$/, '').toLowerCase()
  return /^[\x21-\x7e]*$/.test(host) ? host : (URL.parse(`http://${host}/`)?.hostname ?? host)
}

function extensionOf(value: string): string {
  return value.toLowerCase().replace(/^\./, '')
}

type Token = { isNegated: boolean; value: string } & ({ kind: 'word' | 'phrase' } | { kind: 'operator'; name: string })

const operators = 'site|filetype|ext|inurl|allinurl|intitle|allintitle|related|imagesize|larger'
// A space after the colon is forgiven, unless another operator or a minus follows. Two minuses are the flag of a command.
const space = `(?:\\s+(?!-|(?:${operators}):))?`
const pattern = new RegExp(
  `\\(*(-(?!-))?\\(*(?:(${operators}):${space}(?:"([^"]*)"|([^\\s"]+))|"([^"]*)"|([^\\s"]+))`,
  'giu',
)
const bareOperator = new RegExp(`^(?:${operators}):$`, 'iu')

/** Words, phrases and operators of a query, in order. A quote that is never closed ends with the text. */
function tokensOf(text: string): Token[] {
  const plain = closed(text.replace(/[“”„‟«»＂]/g, '"'))
  return [...plain.matchAll(pattern)].flatMap(([, minus, name, quoted, bare, phrase, word]): Token[] => {
    const isNegated = minus === '-'
    if (name !== undefined) return operator(name.toLowerCase(), quoted ?? balanced(bare ?? ''), isNegated)
    if (phrase !== undefined) return phrase.trim() === '' ? [] : [{ kind: 'phrase', value: phrase.trim(), isNegated }]
    const value = balanced(word ?? '')
    return /^[-–—()]*$/.test(value) || bareOperator.test(value) ? [] : [{ kind: 'word', value, isNegated }]
  })
}

const operator = (name: string, value: string, isNegated: boolean): Token[] =>
  value.trim() === '' ? [] : [{ kind: 'operator', name, value: value.trim(), isNegated }]

const closed = (text: string) => ((text.match(/"/g) ?? []).length % 2 === 1 ? `${text}"` : text)

/** Without brackets at the end that close a group of words; those of `f(x)` belong to the word. */
function balanced(text: string): string {
  const excess = text.split(')').length - text.split('(').length
  const atEnd = /\)*$/.exec(text)?.[0].length ?? 0
  return text.slice(0, text.length - Math.max(0, Math.min(excess, atEnd)))
}
