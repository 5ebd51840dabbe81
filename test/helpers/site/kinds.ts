import { answer, type Exchange, file, numberIn, type Routes } from './route.ts'

const megabyte = Buffer.alloc(1_000_000, 'gossamer ')

/** Content other than pages, and pages about the request itself. */
export const kindRoutes: Routes = {
  '/json': file(
    'application/json',
    JSON.stringify({ name: 'Lamp', price: 49.5, tags: ['home', 'light'], inStock: true }),
  ),
  '/text': file('text/plain; charset=utf-8', 'Plain words.\nOn two lines.\n'),
  '/markdown': file('text/markdown; charset=utf-8', '# Title\n\nSome *words*.\n'),
  '/xml': file('application/xml', '<?xml version="1.0"?><items><item id="1">One</item></items>'),
  '/csv': file('text/csv', 'name,price\nLamp,49.5\nChair,120\n'),
  '/feed': file(
    'application/rss+xml',
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>First</title><link>/article</link></item></channel></rss>',
  ),
  '/pdf': file('application/pdf', '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n'),
  '/binary': file(
    'application/octet-stream',
    Uint8Array.from({ length: 256 }, (_, at) => at),
  ),
  '/empty': file('text/html'),
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
