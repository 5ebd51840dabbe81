import { answer, numberIn, type Exchange, type Routes } from './route.ts'

const megabyte = Buffer.alloc(1_000_000, 'gossamer ')

/** Content other than pages, and pages about the request itself. */
export const kindRoutes: Routes = {
  '/json': answer(
    200,
    { 'content-type': 'application/json' },
    JSON.stringify({ name: 'Lamp', price: 49.5, tags: ['home', 'light'], inStock: true }),
  ),
  '/text': answer(200, { 'content-type': 'text/plain; charset=utf-8' }, 'Plain words.\nOn two lines.\n'),
  '/markdown': answer(200, { 'content-type': 'text/markdown; charset=utf-8' }, '# Title\n\nSome *words*.\n'),
  '/xml': answer(
    200,
    { 'content-type': 'application/xml' },
    '<?xml version="1.0"?><items><item id="1">One</item></items>',
  ),
  '/csv': answer(200, { 'content-type': 'text/csv' }, 'name,price\nLamp,49.5\nChair,120\n'),
  '/feed': answer(
    200,
    { 'content-type': 'application/rss+xml' },
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>First</title><link>/article</link></item></channel></rss>',
  ),
  '/pdf': answer(
    200,
    { 'content-type': 'application/pdf' },
    '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n',
  ),
  '/binary': answer(
    200,
    { 'content-type': 'application/octet-stream' },
    Uint8Array.from({ length: 256 }, (_, at) => at),
  ),
  '/empty': answer(200, { 'content-type': 'text/html' }),
  '/no-content': answer(204, {}),
  '/huge/*': huge,
  '/echo-headers': ({ request, response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.headers))
  },
  '/robots.txt': ({ response, origin }) => {
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`User-agent: *\nDisallow: /private/\nAllow: /private/open\n\nSitemap: ${origin}/sitemap.xml\n`)
  },
  '/sitemap.xml': ({ response, origin }) => {
    const urls = ['/', '/article', '/docs', '/product', '/forum', '/listing']
    const rows = urls.map((path) => `  <url><loc>${origin}${path}</loc><lastmod>2026-01-15</lastmod></url>`).join('\n')
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows}\n</urlset>\n`,
      )
  },
}

/** Sends the number of megabytes in the path, without a Content-Length. */
async function huge({ response, url }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' })
  for (let left = numberIn(url); left > 0 && !response.closed; left--) {
    if (!response.write(megabyte))
      await new Promise<void>((resolve) => {
        response.once('drain', resolve)
        response.once('close', resolve)
      })
  }
  response.end()
}
