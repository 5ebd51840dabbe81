import { z } from 'zod'
import type { SearchHit, SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { buildUrl, type Api } from './shared/call-api.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { callMediaWiki, contactHeader } from './shared/mediawiki.ts'
import { languageOf } from './shared/locale.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle'])
const maxResults = 50
const fallbackLanguage = 'en'

const ResponseBody = z.object({ query: z.object({ search: z.array(z.unknown()) }) })
const Item = z.object({ title: z.string(), snippet: z.string() })

/** Wikipedia in the language of the request, or in English if that finds nothing: https://www.mediawiki.org/wiki/API:Search. */
export function wikipedia(
  api: Api,
  { contactEmail, baseUrl }: { contactEmail?: string | undefined; baseUrl?: string } = {},
): SearchProvider {
  const searchIn = async (language: string, request: SearchRequest): Promise<SearchHit[]> => {
    const base = baseUrl ?? `https://${language}.wikipedia.org`
    const url = buildUrl(`${base}/w/api.php`, {
      action: 'query',
      list: 'search',
      format: 'json',
      formatversion: 2,
      srprop: 'snippet',
      srsearch: requireWords(toText(request.query, operators)),
      srlimit: Math.min(maxResults, request.limit),
      ...(request.period?.sort === 'date' && { srsort: 'last_edit_desc' }),
    })
    const headers = contactHeader(contactEmail)
    const response = await callMediaWiki(api, { url, method: 'GET', headers, signal: request.signal })
    return parseHits(parseResponse(response, ResponseBody).query.search, Item, ({ title, snippet }) => ({
      url: `${base}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
      title,
      description: fromHtml(snippet),
    }))
  }
  return {
    name: 'wikipedia',
    sources: new Set(['web']),
    operators,
    period: 'none',
    weight: 0.6,
    async search(request) {
      const language = /^[a-z]{2,3}$/.test(languageOf(request)) ? languageOf(request) : fallbackLanguage
      requireSite(request, `${language}.wikipedia.org`)
      const hits = await searchIn(language, request)
      return hits.length > 0 || language === fallbackLanguage ? hits : searchIn(fallbackLanguage, request)
    },
  }
}

export const wikipediaEntry: OpenProviderEntry = {
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'pages of Wikipedia in the language of `country`, else English', location: 'language' },
  create: (api, { contactEmail }) => wikipedia(api, { contactEmail }),
}
