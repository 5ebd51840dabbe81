import { setTimeout as sleep } from 'node:timers/promises'
import { answer, gone, html, numberIn, type Exchange, type Routes } from './route.ts'

const statusPage = (status: number, text: string) =>
  answer(
    status,
    { 'content-type': 'text/html; charset=utf-8' },
    `<!doctype html><title>${text}</title><h1>${text}</h1>`,
  )

/** Sites that misbehave, and statuses other than 200. */
export const troubleRoutes: Routes = {
  '/status/404': statusPage(404, 'No such page'),
  '/status/410': statusPage(410, 'Gone for good'),
  '/status/429': answer(429, { 'retry-after': '7', 'content-type': 'text/plain' }, 'Slow down.'),
  '/status/500': statusPage(500, 'Internal error'),
  '/status/503': answer(503, { 'retry-after': '1', 'content-type': 'text/html' }, '<h1>Back soon</h1>'),
  '/drip': drip,
  '/hang': () => {},
  '/hang-after-headers': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<p>first part')
  },
  '/slow/*': async (exchange) => {
    await sleep(numberIn(exchange.url))
    await html('<!doctype html><title>Slow</title><p>Late but here.')(exchange)
  },
  '/big-header': answer(200, { 'x-big': 'a'.repeat(200_000) }, 'hidden behind a header'),
  '/cut-before-headers': ({ request }) => {
    request.socket.destroy()
  },
  '/cut-in-body': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<p>The first half of', () => response.destroy())
  },
  '/short-content-length': raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello and more'),
  '/long-content-length': raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\nconnection: close\r\n\r\nhello'),
  '/not-http': raw('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  '/close-each': html('<h1>One page a connection</h1>', { connection: 'close' }),
}

/** Sends a byte now and then, forever, so no timeout between chunks applies. */
async function drip({ response }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' })
  const timer = setInterval(() => response.write('.'), 20)
  await gone(response)
  clearInterval(timer)
}

function raw(text: string): (exchange: Exchange) => void {
  return ({ request }) => {
    request.socket.end(text)
  }
}
