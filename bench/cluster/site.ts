/** A site under many addresses of loopback, each page answered after `delayMs`. Prints its port; ends with its stdin. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pageOf } from '../crawl/pages.ts'

const [pages = 100, delayMs = 200] = process.argv.slice(2).map(Number)

async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const nth = Number(/^\/p\/(\d+)/.exec(url)?.[1] ?? NaN)
  if (!(nth < pages)) return void response.writeHead(404).end()
  await sleep(delayMs)
  response.setHeader('content-type', 'text/html')
  response.end(pageOf(nth, pages).html)
}

const server = createServer((...exchange) => void answer(...exchange))
server.listen(0, '0.0.0.0', () => console.log(String((server.address() as AddressInfo).port)))
process.stdin.resume().once('end', () => process.exit())
