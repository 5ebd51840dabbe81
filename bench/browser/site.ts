/**
 * The web site of this benchmark on loopback, in a separate process. Everything but pages may be cached for an hour.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { font, picture, styleSheet } from './assets.ts'
import { autoPage, fillScript } from './auto-site.ts'
import { answerKind } from './kinds.ts'
import { appScript, dataOf, scriptedPage, staticPage } from './pages.ts'

const pictures = Array.from({ length: 20 }, (_, at) => picture(at))
const fontBytes = font()
const made = new Map<string, string>()

function once(path: string, make: (path: string) => string): string {
  const page = made.get(path) ?? make(path)
  made.set(path, page)
  return page
}

function send(
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  cacheControl = 'public, max-age=3600',
): void {
  const length = Buffer.byteLength(body)
  response.writeHead(200, { 'content-type': type, 'content-length': length, 'cache-control': cacheControl }).end(body)
}

const htmlType = 'text/html; charset=utf-8'

type Answer = (path: string, response: ServerResponse, request: IncomingMessage) => void

const files: Readonly<Record<string, Answer>> = {
  '/app.js': (_, response) => send(response, 'text/javascript', appScript),
  '/site.css': (_, response) => send(response, 'text/css', styleSheet),
  '/site.woff2': (_, response) => send(response, 'font/woff2', fontBytes),
}

const rooms: Readonly<Record<string, Answer>> = {
  static: (path, response) => send(response, htmlType, once(path, staticPage), 'no-store'),
  script: (path, response) => send(response, htmlType, once(path, scriptedPage), 'no-store'),
  data: (path, response) => send(response, 'application/json', once(path, dataOf), 'no-store'),
  picture: (path, response) => send(response, 'image/png', pictures[numberIn(path) % pictures.length] ?? ''),
  kind: (_, response, request) => void answerKind(request, response),
  auto: autoPage,
}

const missing: Answer = (path, response) => {
  if (/\.(?:js|tsx)$/.test(path)) send(response, 'text/javascript', fillScript)
  else response.writeHead(404).end()
}

const numberIn = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0)

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const answer = files[path] ?? rooms[path.split('/')[1] ?? ''] ?? missing
  answer(path, response, request)
})
server.keepAliveTimeout = 600_000

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// The parent has exited or finished.
process.stdin.resume().once('end', () => process.exit())
