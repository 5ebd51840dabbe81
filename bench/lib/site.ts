/** A web site on loopback, in a separate process, so it shares no thread with the measured program. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inEdition, makeArticles } from './article.ts'

const pages = new Map(makeArticles().map(({ name, html }) => [name, Buffer.from(html)]))
const requests = new Map<string, number>()

/**
 * Returns the article of that size for `/SIZE/ANY/THING`, another edition on each request for `/SIZE/new/THING`, and
 * the number of requests by path for `/requests`.
 */
const server = createServer((request, response) => {
  const path = request.url ?? ''
  const times = (requests.get(path) ?? 0) + 1
  requests.set(path, times)
  const [, size = '', kind] = path.split('/')
  const article = pages.get(size)
  const page = article && kind === 'new' ? inEdition(article, times) : article
  if (page)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page)
  else if (path === '/requests') response.writeHead(200).end(JSON.stringify(Object.fromEntries(requests)))
  else response.writeHead(404).end()
})
// Longer than any pause of a run, so no request opens a new connection.
server.keepAliveTimeout = 600_000

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// The parent has exited or finished.
process.stdin.resume().once('end', () => process.exit())
