import type { SearchProvider, SearchRequest } from '../../../core/search.ts'

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
