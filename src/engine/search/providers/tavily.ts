import { z } from 'zod'
import type { SearchFault, SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import type { ApiAnswer } from '../../net/http/api-client.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { countryName } from '../provider/places.ts'
import { cutTo, domainsOf, scopeOf, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

/** `site:` goes into its lists of domains; of operators in the text it knows none. */
const operators: ReadonlySet<SearchOperator> = new Set(['site'])
const inText: ReadonlySet<SearchOperator> = new Set()
const longest = { chars: 400, words: 400 }
const maxResults = 20
const maxIncluded = 300
const maxExcluded = 150
/** Countries it can be told; it refuses others. */
const countries = new Set(
  `AD AE AF AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CF CH CL CM CN CO CR CU CY CZ DE
  DJ DK DO DZ EC EE EG ER ES ET FI FJ FR GA GB GE GH GM GN GQ GR GT HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG
  KH KM KP KR KW KZ LB LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP
  NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SD SE SG SI SK SN SO SS SV SY TD TG TH TJ TM TN TR TT TW TZ UA UG US
  UY UZ VE VN YE ZA ZM ZW`.split(/\s+/),
)
/** How it calls countries that CLDR calls otherwise. */
const otherNames: Readonly<Record<string, string>> = { TR: 'turkey', CZ: 'czech republic' }

const text = z.string().nullish()
const Answer = z.object({ results: z.array(z.unknown()) })
const Item = z.object({ title: text, url: z.string(), content: text, published_date: text })

/** Tavily Search: https://docs.tavily.com/documentation/api-reference/endpoint/search. One request gives at most 20 results. */
export function tavily(
  api: Api,
  { key, baseUrl = 'https://api.tavily.com' }: { key: string; baseUrl?: string },
): SearchProvider {
  return {
    name: 'tavily',
    sources: new Set(['web', 'news']),
    operators,
    period: 'by the day',
    weight: 1,
    async search(request) {
      const answer = await askJson(
        api,
        {
          url: `${baseUrl}/search`,
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(request)),
          signal: request.signal,
        },
        faultOf,
      )
      return hitsFrom(shaped(answer, Answer).results, Item, (item) => ({
        url: item.url,
        title: item.title ?? '',
        description: item.content,
        date: item.published_date,
      }))
    },
  }
}

function bodyOf(request: SearchRequest) {
  const scope = scopeOf(request)
  const { include, exclude } = domainsOf(scope)
  const range = rangeOf(request.period)
  const country = countryOf(request)
  const isPdf = scope.query.filetype.includes('pdf')
  return {
    query: cutTo(`${someWords(toText(scope.query, inText))}${isPdf ? ' PDF' : ''}`, longest),
    topic: request.source === 'news' ? 'news' : 'general',
    search_depth: 'basic',
    max_results: maxResults,
    ...(include.length > 0 && { include_domains: include.slice(0, maxIncluded) }),
    ...(exclude.length > 0 && { exclude_domains: exclude.slice(0, maxExcluded) }),
    ...(range && { start_date: dayOf(range.from), end_date: dayOf(range.to) }),
    // It ranks pages of a country higher, but only for the general topic.
    ...(request.source === 'web' && country !== undefined && { country }),
  }
}

function countryOf({ country }: SearchRequest): string | undefined {
  if (!countries.has(country)) return undefined
  const name = countryName(country)
    ?.toLowerCase()
    .replace(/ \(.*\)/, '')
    .replace('&', 'and')
  return otherNames[country] ?? name
}

/** Its own statuses for what a plan or a pay-as-you-go limit allows. */
const faultOf = ({ status }: ApiAnswer): SearchFault | undefined =>
  status === 432 || status === 433 ? 'quota used up' : undefined
