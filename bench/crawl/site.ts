/**
 * The web site of this benchmark on loopback, in a separate process. Pages are generated once for each edition (POST to
 * `newEdition`), and sent gzipped to clients that accept gzip.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { inEdition, newEdition, numberOf, pageOf } from './pages.ts'

const count = Number(process.argv[2])
const pages = Array.from({ length: count }, (_, at) => pageOf(at, count).html)
let edition = 0
let packed = pages.map((html) => gzipSync(html))

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  if (request.method === 'POST' && path === newEdition) {
    edition += 1
    packed = pages.map((html) => gzipSync(inEdition(html, edition)))
    return void response.end()
  }
  const page = packed[numberOf(path, count) ?? -1]
  if (!page) return void response.writeHead(404).end()
  const type = { 'content-type': 'text/html; charset=utf-8' }
  if (/\bgzip\b/.test(String(request.headers['accept-encoding'])))
    response.writeHead(200, { ...type, 'content-encoding': 'gzip', 'content-length': page.length }).end(page)
  else response.writeHead(200, type).end(gunzipSync(page))
})
server.keepAliveTimeout = 600_000

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// The parent has exited or finished.
process.stdin.resume().once('end', () => process.exit())
