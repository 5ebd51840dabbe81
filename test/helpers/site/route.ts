import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** Scheme, host and port of this site. */
  origin: string
}
export type Route = (exchange: Exchange) => void | Promise<void>

/** Routes by path; a key that ends in `/*` matches any rest. */
export type Routes = Readonly<Record<string, Route>>

export function findRoute(routes: Routes, path: string): Route {
  const segments = path.split('/')
  const wild = segments.map((_, at) => `${segments.slice(0, segments.length - at - 1).join('/')}/*`)
  const key = [path, ...wild].find((candidate) => Object.hasOwn(routes, candidate))
  return (key === undefined ? undefined : routes[key]) ?? missing
}

/** Returns a route with a fixed response. */
export function answer(status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array = ''): Route {
  return ({ response }) => {
    response.writeHead(status, headers).end(body)
  }
}

/** Returns a route with a page, which a function creates for each request. */
export function html(body: string | ((exchange: Exchange) => string), headers: OutgoingHttpHeaders = {}): Route {
  return (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    exchange.response.end(typeof body === 'string' ? body : body(exchange))
  }
}

/** Returns a route with a file of this media type. */
export function file(type: string, body: string | Uint8Array = ''): Route {
  return answer(200, { 'content-type': type }, body)
}

/** Text that makes a page with scripts count as complete, so acts need not wait for more of it. */
export const enoughText = `<p>${'Read on as you please. '.repeat(7)}</p>`

/** Returns the last segment of the path as a number. */
export function numberIn(url: URL): number {
  return Number(url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
}

/** Resolves when the client disconnects, so endless routes stop. */
export function gone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()))
}

const missing = answer(
  404,
  { 'content-type': 'text/html; charset=utf-8' },
  '<!doctype html><title>Not found</title><h1>Not found</h1><p>There is no page at this address.</p>',
)
