import { createTurndown } from '../content/markdown.ts'
import type { Contestant, Job, Take } from './contestant.ts'
import { pathOf } from './pages.ts'

export const crawleeTurndown: Contestant = {
  id: 'crawlee-turndown',
  name: 'crawlee CheerioCrawler 3.18.1 + turndown',
  makes: 'page',
  finds: 'given',
  async load() {
    const { CheerioCrawler, Configuration, log, LogLevel } = await import('@crawlee/cheerio')
    log.setLevel(LogLevel.ERROR)
    const toMarkdown = createTurndown()
    return async (job, take) => {
      const crawler = new CheerioCrawler(
        {
          ...settings(job),
          requestHandler({ $, request }) {
            const links = new Set<string>()
            $('a[href]').each((_, anchor) => void links.add(new URL($(anchor).attr('href') ?? '', request.url).href))
            $('script, style, noscript, template').remove()
            take({ url: request.url, text: toMarkdown($.html('body')), links: [...links] })
          },
        },
        new Configuration({ persistStorage: false, purgeOnStart: true }),
      )
      await crawler.run(requestsOf(job))
    }
  },
}

/** The lightest crawler of crawlee with the fastest converter; links come from a parser that builds no tree. */
export const crawleeMdream: Contestant = {
  id: 'crawlee-mdream',
  name: 'crawlee HttpCrawler 3.18.1 + mdream',
  makes: 'page',
  finds: 'given',
  async load() {
    const { HttpCrawler, Configuration, log, LogLevel } = await import('@crawlee/http')
    const { htmlToMarkdown } = await import('mdream')
    const { Parser } = await import('htmlparser2')
    log.setLevel(LogLevel.ERROR)

    function linksOf(html: string, url: string): string[] {
      const links = new Set<string>()
      const onopentag = (name: string, { href }: Record<string, string>) => {
        if (name === 'a' && href !== undefined) links.add(new URL(href, url).href)
      }
      new Parser({ onopentag }).end(html)
      return [...links]
    }

    return async (job, take) => {
      const crawler = new HttpCrawler(
        {
          ...settings(job),
          requestHandler: ({ body, request }) => takeHtml(String(body), request.url, take),
        },
        new Configuration({ persistStorage: false, purgeOnStart: true }),
      )
      await crawler.run(requestsOf(job))
    }

    function takeHtml(html: string, url: string, take: Take): void {
      take({ url, text: htmlToMarkdown(html, { origin: url }), links: linksOf(html, url) })
    }
  },
}

const settings = ({ concurrency }: Job) => ({
  minConcurrency: concurrency,
  maxConcurrency: concurrency,
  maxRequestRetries: 0,
  // By default it looks for work only twice a second.
  autoscaledPoolOptions: { maybeRunIntervalSecs: 0.02 },
})

let lastKey = 0

/** Each run has its own keys, because a crawler remembers the pages it has seen. */
const requestsOf = ({ origin, pages }: Job) =>
  Array.from({ length: pages }, (_, at) => ({ url: origin + pathOf(at), uniqueKey: String(++lastKey) }))
