import { z } from 'zod'
import type { SearchRequest } from '../../../contracts/search-port.ts'
import { dayOf, countryName, domainsOf, scopeOf, truncateQuery } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { readHits, resultsShape, text } from './shared/read-hits.ts'

const maxLength = { chars: 400, words: 400 }
const maxResults = 20
const maxIncluded = 300
const maxExcluded = 150
/** Countries that the API accepts; it rejects others. */
const countries = new Set(
  `AD AE AF AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CF CH CL CM CN CO CR CU CY CZ DE
  DJ DK DO DZ EC EE EG ER ES ET FI FJ FR GA GB GE GH GM GN GQ GR GT HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG
  KH KM KP KR KW KZ LB LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP
  NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SD SE SG SI SK SN SO SS SV SY TD TG TH TJ TM TN TR TT TW TZ UA UG US
  UY UZ VE VN YE ZA ZM ZW`.split(/\s+/),
)
/** Country names that differ from CLDR. */
const ownNames: Readonly<Record<string, string>> = { TR: 'turkey', CZ: 'czech republic' }

/**
 * Tavily Search: https://docs.tavily.com/documentation/api-reference/endpoint/search. At most 20 results per request.
 */
export const tavily = defineProvider({
  name: 'tavily',
  rank: 'before results pages',
  needs: { setting: 'tavilyKey', source: 'app.tavily.com', option: 'key' },
  docs: { finds: 'the web and news', time: 'days', location: 'country, web only' },
  baseUrl: 'https://api.tavily.com',
  sources: ['web', 'news'],
  // `site:` becomes a domain list; the query text supports no operators.
  operators: ['site'],
  operatorsInText: [],
  period: 'by the day',
  // Tavily's own statuses for the limits of a plan and of pay-as-you-go.
  errorKindOf: ({ status }) => (status === 432 || status === 433 ? 'quota used up' : undefined),
  search: inOneCall({
    call: (context) => ({
      url: `${context.baseUrl}/search`,
      headers: { authorization: `Bearer ${context.key}` },
      json: bodyOf(context),
    }),
    read: readHits({
      ...resultsShape,
      item: z.object({ title: text, url: z.string(), content: text, published_date: text }),
      toHit: (item) => ({
        url: item.url,
        title: item.title ?? '',
        description: item.content,
        date: item.published_date,
      }),
    }),
  }),
})

function bodyOf({ request, words, range }: Context) {
  const scope = scopeOf(request)
  const { include, exclude } = domainsOf(scope)
  const country = countryOf(request)
  const isPdf = scope.query.filetype.includes('pdf')
  return {
    query: truncateQuery(`${words(scope.query)}${isPdf ? ' PDF' : ''}`, maxLength),
    topic: request.source === 'news' ? 'news' : 'general',
    search_depth: 'basic',
    max_results: maxResults,
    ...(include.length > 0 && { include_domains: include.slice(0, maxIncluded) }),
    ...(exclude.length > 0 && { exclude_domains: exclude.slice(0, maxExcluded) }),
    ...(range && { start_date: dayOf(range.from), end_date: dayOf(range.to) }),
    // Country ranking works only for the general topic.
    ...(request.source === 'web' && country !== undefined && { country }),
  }
}

function countryOf({ country }: SearchRequest): string | undefined {
  if (!countries.has(country)) return undefined
  const name = countryName(country)
    ?.toLowerCase()
    .replace(/ \(.*\)/, '')
    .replace('&', 'and')
  return ownNames[country] ?? name
}
