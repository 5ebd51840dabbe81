import type { SearchOperator, SearchQuery } from '../../../core/search.ts'

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
