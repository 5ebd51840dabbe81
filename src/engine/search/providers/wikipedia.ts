import { z } from 'zod'
import type { SearchRequest } from '../../../contracts/search-port.ts'
import { defineProvider, inOneCall } from './shared/define-provider.ts'
import { languageOf } from './shared/search-scope.ts'
import { contactHeader, parseMediaWiki, fromHtml, readHits } from './shared/read-hits.ts'

const maxResults = 50
const fallbackLanguage = 'en'

const searchOnce = inOneCall({
  call: ({ baseUrl, contactEmail, words, newestFirst, request }) => ({
    url: `${inLanguage(baseUrl, request)}/w/api.php`,
    headers: contactHeader(contactEmail),
    parameters: {
      action: 'query',
      list: 'search',
      format: 'json',
      formatversion: 2,
      srprop: 'snippet',
      srsearch: words(request.query),
      srlimit: Math.min(maxResults, request.limit),
      ...(newestFirst && { srsort: 'last_edit_desc' }),
    },
  }),
  read: readHits({
    parse: parseMediaWiki,
    body: z.object({ query: z.object({ search: z.array(z.unknown()) }) }),
    items: ({ query }) => query.search,
    item: z.object({ title: z.string(), snippet: z.string() }),
    toHit: ({ title, snippet }, { baseUrl, request }) => ({
      url: `${inLanguage(baseUrl, request)}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
      title,
      description: fromHtml(snippet),
    }),
  }),
})

/**
 * Wikipedia in the language of the request, or in English if that has no results:
 * https://www.mediawiki.org/wiki/API:Search.
 */
export const wikipedia = defineProvider({
  name: 'wikipedia',
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'pages of Wikipedia in the language of `country`, otherwise English', location: 'language' },
  baseUrl: 'https://LANGUAGE.wikipedia.org',
  sources: ['web'],
  operators: ['phrase', 'without', 'inTitle'],
  period: 'none',
  site: (request) => `${codeOf(request)}.wikipedia.org`,
  async search(request, ask) {
    const hits = await searchOnce(request, ask)
    if (hits.length > 0 || codeOf(request) === fallbackLanguage) return hits
    return searchOnce({ ...request, language: fallbackLanguage }, ask)
  },
})

const inLanguage = (baseUrl: string, request: SearchRequest) => baseUrl.replace('LANGUAGE', codeOf(request))

function codeOf(request: SearchRequest): string {
  const language = languageOf(request)
  return /^[a-z]{2,3}$/.test(language) ? language : fallbackLanguage
}
