import type { SearchOperator, SearchProvider, SearchQuery, SearchRequest } from '../../../contracts/search.ts'

type Domains = { includeDomains?: readonly string[] | undefined; excludeDomains?: readonly string[] | undefined }

const quoted = (text: string) => (/\s/.test(text) ? `"${text}"` : text)

/** The query in the words of a provider: operators it does not know are left out, because it would look for them as words. */
export function toText(query: SearchQuery, operators: ReadonlySet<SearchOperator>, more: Domains = {}): string {
  const { includeDomains = [], excludeDomains = [] } = more
  const has = (operator: SearchOperator) => operators.has(operator)
  const each = (operator: SearchOperator, sign: string, values: readonly string[]) =>
    has(operator) ? values.map((value) => `${sign}${value}`) : []
  return [
    [...query.terms, ...query.phrases.map((phrase) => (has('phrase') ? `"${phrase}"` : phrase))].join(
      query.isAny ? ' OR ' : ' ',
    ),
    ...(has('inTitle') ? query.inTitle.map((text) => `intitle:${quoted(text)}`) : query.inTitle),
    ...each('inTitle', '-intitle:', query.notInTitle.map(quoted)),
    ...each('inUrl', 'inurl:', query.inUrl.map(quoted)),
    ...each('inUrl', '-inurl:', query.notInUrl.map(quoted)),
    ...each('without', '-', query.without.map(quoted)),
    ...(has('site') ? oneOf([...query.site, ...includeDomains].map((site) => `site:${site}`)) : []),
    ...each('site', '-site:', [...query.notSite, ...excludeDomains]),
    ...(has('filetype') ? oneOf(query.filetype.map((extension) => `filetype:${extension}`)) : []),
    ...each('filetype', '-filetype:', query.notFiletype),
    ...(has('related') && query.related !== undefined ? [`related:${query.related}`] : []),
    ...sizes(query, has),
  ]
    .filter(Boolean)
    .join(' ')
}

const oneOf = (parts: readonly string[]): string[] => (parts.length > 1 ? [`(${parts.join(' OR ')})`] : [...parts])

function sizes({ imageSize, larger }: SearchQuery, has: (operator: SearchOperator) => boolean): string[] {
  return [
    ...(imageSize && has('imageSize') ? [`imagesize:${imageSize.width}x${imageSize.height}`] : []),
    ...(larger && has('larger') ? [`larger:${larger.width}x${larger.height}`] : []),
  ]
}

/** What of a request neither those who answered nor our own check of the results can keep, said plainly. */
export function unhonoured({ query, period, location }: SearchRequest, answered: readonly SearchProvider[]): string[] {
  const lacking = (isAble: (provider: SearchProvider) => boolean) =>
    answered.filter((provider) => provider.name !== 'local' && !isAble(provider)).map(({ name }) => name)
  const phrases = query.phrases.length > 0 ? lacking(({ operators }) => operators.has('phrase')) : []
  const related = query.related === undefined ? [] : lacking(({ operators }) => operators.has('related'))
  const times =
    period?.from === undefined && period?.to === undefined ? [] : lacking((provider) => provider.period !== 'none')
  const placeless = location === undefined ? [] : lacking(({ knowsPlaces }) => knowsPlaces === true)
  return [
    ...(phrases.length > 0 ? [`Exact phrases are only words to ${phrases.join(', ')}.`] : []),
    ...(related.length > 0 ? [`related: is not known to ${related.join(', ')}.`] : []),
    ...(times.length > 0
      ? [`${times.join(', ')} cannot search by time; results without a date may be of any time.`]
      : []),
    ...(placeless.length > 0 ? [`location is not known to ${placeless.join(', ')}.`] : []),
  ]
}
