import type { SearchOperator, SearchProvider, SearchQuery, SearchRequest } from '../../../contracts/search-port.ts'

type Domains = { includeDomains?: readonly string[] | undefined; excludeDomains?: readonly string[] | undefined }

const inQuotes = (text: string) => (/\s/.test(text) ? `"${text}"` : text)

/** The query in a provider's syntax. Unsupported operators are left out, since it would search for them as words. */
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

/** Notes on options that neither the providers that answered nor the post-filter could apply. */
export function unsupportedNotes(
  { query, period, location }: SearchRequest,
  providers: readonly SearchProvider[],
): string[] {
  const withoutSupport = (supports: (provider: SearchProvider) => boolean) =>
    providers.filter((provider) => provider.name !== 'local' && !supports(provider)).map(({ name }) => name)
  const phrases = query.phrases.length > 0 ? withoutSupport((each) => each.operators.has('phrase')) : []
  const related = query.related === undefined ? [] : withoutSupport((each) => each.operators.has('related'))
  const times =
    period?.from === undefined && period?.to === undefined
      ? []
      : withoutSupport((provider) => provider.period !== 'none')
  const locations =
    location === undefined ? [] : withoutSupport(({ supportsLocation: knowsPlaces }) => knowsPlaces === true)
  return [
    ...(phrases.length > 0 ? [`Exact phrases are only words to ${phrases.join(', ')}.`] : []),
    ...(related.length > 0 ? [`related: is not known to ${related.join(', ')}.`] : []),
    ...(times.length > 0
      ? [`${times.join(', ')} cannot search by time; results without a date may be of any time.`]
      : []),
    ...(locations.length > 0 ? [`location is not known to ${locations.join(', ')}.`] : []),
  ]
}
