/** The web site of this benchmark on loopback, run as a process of its own. Everything but pages may be cached for an hour. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { font, picture, styleSheet } from './assets.ts'
import { autoPage, fillScript } from './auto-site.ts'
import { kindPage } from './kinds.ts'
import { appScript, dataOf, scriptedPage, staticPage } from './pages.ts'

const pictures = Array.from({ length: 20 }, (_, at) => picture(at))
const fontBytes = font()
const made = new Map<string, string>()

function once(path: string, make: (path: string) => string): string {
  const page = made.get(path) ?? make(path)
  made.set(path, page)
  return page
}

function send(response: ServerResponse, type: string, body: string | Buffer, cacheControl = 'public, max-age=3600'): void {
  const length = Buffer.byteLength(body)
  response.writeHead(200, { 'content-type': type, 'content-length': length, 'cache-control': cacheControl }).end(body)
}

const htmlType = 'text/html; charset=utf-8'

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const [, room = '', name = ''] = path.split('/')
  if (room === 'static') send(response, htmlType, once(path, staticPage), 'no-store')
  else if (room === 'script') send(response, htmlType, once(path, scriptedPage), 'no-store')
  else if (room === 'data') send(response, 'application/json', once(path, (at) => dataOf(at.slice('/data'.length))), 'no-store')
  else if (room === 'picture') send(response, 'image/png', pictures[Number.parseInt(name, 10) % pictures.length] ?? '')
  else if (path === '/app.js') send(response, 'text/javascript', appScript)
  else if (path === '/site.css') send(response, 'text/css', styleSheet)
  else if (path === '/site.woff2') send(response, 'font/woff2', fontBytes)
  else if (room === 'kind') kindPage(path, request, response)
  else if (room === 'auto') autoPage(path, response)
  else if (path.endsWith('.js') || path.endsWith('.tsx')) send(response, 'text/javascript', fillScript)
  else response.writeHead(404).end()
})
server.keepAliveTimeout = 600_000

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// The parent is gone, or done.
process.stdin.resume().once('end', () => process.exit())
