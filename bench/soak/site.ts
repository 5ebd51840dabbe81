/**
 * Serves the site of the tests, with every kind of trouble, in a separate process; also a search of its pages, and a
 * webhook.
 */
import { startSite } from '../../test/helpers/site.ts'
import { answer, html, numberIn, type Routes } from '../../test/helpers/site/route.ts'

const words = 'A lantern keeps a flame from the wind, and a harbour keeps a ship from the sea. '
const treePages = 200

const routes: Routes = {
  /** A tree of pages, each with links to three more and to a hostile one. */
  '/soak/tree/*': (exchange) => {
    const at = numberIn(exchange.url)
    const links = [at * 3 + 1, at * 3 + 2, at * 3 + 3].filter((next) => next < treePages)
    const anchors = links.map((next) => `<a href="/soak/tree/${next}">Page ${next}</a>`).join(' ')
    const harm = ['/hang', '/hostile/deep', '/redirect/loop', '/bomb/br', '/cut-in-body'][at % 5]
    const body = `<h1>Page ${at}</h1><p>${words.repeat(20 + (at % 7) * 40)}</p><p>${anchors} <a href="${harm}">More</a></p>`
    return html(`<title>Page ${at}</title><main>${body}</main>`)(exchange)
  },
  '/soak/events': answer(204, {}),
  /** Answers as SearXNG does. */
  '/soak/search': ({ response, origin }) => {
    const results = Array.from({ length: 8 }, (_, at) => ({
      url: `${origin}/soak/tree/${at}`,
      title: `Page ${at}`,
      content: words,
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  },
}

const site = await startSite({ routes })
console.log(site.origin)

// The parent has exited or finished.
process.stdin.resume().once('end', () => process.exit())
