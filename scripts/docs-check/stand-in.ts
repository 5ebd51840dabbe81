import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { PDFDocument } from 'pdf-lib'

const page = (path: string) => `<!doctype html><html lang="en"><head><title>Example ${path}</title></head><body><main>
<h1>Example ${path}</h1><p>This page stands for one of the web, which docs name by example.com. It has a few sentences of
its own, a form and links to other pages, so that it can be scraped, crawled and searched.</p>
<form action="/welcome"><label>Email <input name="email"></label> <button>Sign in</button></form>
<p><a href="/docs">Docs</a>, <a href="/docs/start">Start</a>, <a href="/prices">Prices</a></p></main></body></html>`

/** Stand-in for example.com: any page, and a SearXNG at /search. */
export async function startStandIn(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const results = [{ url: 'https://sqlite.org/wal.html', title: 'Write-ahead logging', content: 'How a WAL works.' }]
    if (pathname === '/robots.txt' || pathname.startsWith('/sitemap')) response.writeHead(404).end()
    else if (pathname === '/search')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(pathname))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

export async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  return port
}

/** Stand-in for a file of the reader. */
export async function reportPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage().drawText('A report of one line.', { x: 50, y: 700 })
  return document.save()
}
