import { serve } from '../helpers/listen.ts'

/** Results of each kind in the format of SearXNG. */
export type Results = { general?: object[]; images?: object[]; news?: object[] }

/** Server on loopback that answers like a SearXNG with engines. */
export async function startEngine(resultsOf: (words: string) => Results) {
  const queries: URLSearchParams[] = []
  const state = { isUp: true }
  const server = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://engine')
    queries.push(searchParams)
    if (!state.isUp) return void response.writeHead(429, { 'retry-after': '60' }).end('Too many requests')
    const all = resultsOf(searchParams.get('q') ?? '')
    const results = searchParams.has('pageno') ? [] : all[searchParams.get('categories') as keyof Results]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ results: results ?? [], unresponsive_engines: [] }))
  })
  return {
    url: server.origin,
    queries,
    fail: () => void (state.isUp = false),
    stop: async () => server.close(),
  }
}

type Site = { url(path: string): string }

/** Results: three pages of a site, of which one is missing, a picture and a news article. */
export const sitePages =
  (site: () => Site) =>
  (words: string): Results =>
    words.includes('nothing')
      ? {}
      : {
          general: [
            { url: site().url('/article'), title: 'The <b>lighthouse</b>', content: 'A snippet of the engine.' },
            { url: site().url('/cut-before-headers'), title: 'Cut', content: 'Never comes.' },
            { url: site().url('/docs'), title: 'Documentation', content: 'How it is done.' },
          ],
          images: [
            {
              url: site().url('/article'),
              title: 'The tower',
              img_src: site().url('/images/tower-1200.jpg'),
              resolution: '1200 x 800',
            },
          ],
          news: [
            {
              url: site().url('/article'),
              title: 'Tower listens',
              content: 'News.',
              publishedDate: '2026-01-12T08:30:00',
            },
          ],
        }
