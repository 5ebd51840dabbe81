import { answer, gone, html, type Routes } from '../helpers/site/route.ts'

const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`
const list = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')

/**
 * `/many/` links to `count` pages and one that robots.txt forbids, `/few/` to one that fails, `/held/` to one that never
 * responds.
 */
export function manyPages(count: number): { routes: Routes } {
  const links = Array.from({ length: count }, (_, at) => `/many/page/${at + 1}`)
  return {
    routes: {
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /many/private\n'),
      '/many/': html(page('All', list([...links, '/many/private']))),
      '/many/page/*': ({ url, response }) => {
        const title = `Page ${url.pathname.split('/').at(-1)}`
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(title, 'Some text. '.repeat(40)))
      },
      '/few/': html(page('Few', list(['/few/one', '/few/cut']))),
      '/few/one': html(page('One', 'The only one.')),
      '/few/cut': ({ response }) => void response.destroy(),
      '/held/': html(page('Held', list(['/held/open', '/held/closed']))),
      '/held/open': html(page('Open', 'Comes at once.')),
      '/held/closed': ({ response }) => gone(response),
    },
  }
}
