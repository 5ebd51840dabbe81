import http from 'node:http'
import https from 'node:https'
import { closeNow, listen } from './listen.ts'
import { browserRoutes } from './site/browser.ts'
import { formRoutes } from './site/forms.ts'
import { charsetRoutes } from './site/charsets.ts'
import { codingRoutes } from './site/codings.ts'
import { consentRoutes } from './site/consent.ts'
import { contentRoutes } from './site/content.ts'
import { hostileRoutes } from './site/hostile.ts'
import { kindRoutes } from './site/kinds.ts'
import { redirectRoutes } from './site/redirects.ts'
import { findRoute, type Routes } from './site/route.ts'
import { selfSigned, type CertificateFacts } from './site/self-signed.ts'
import { troubleRoutes } from './site/troubles.ts'

type SeenRequest = {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  /** Requests on one connection share this number. */
  readonly connection: number
  /** Becomes true when the client disconnects before the response is complete. */
  closed: boolean
}
export type Site = {
  readonly origin: string
  readonly port: number
  url(path: string): string
  readonly requests: readonly SeenRequest[]
  close(): Promise<void>
}
export type SiteOptions = {
  /** Added to the routes of the site, or replacing them. */
  routes?: Routes
  /** Makes it an https site with a self-signed certificate. */
  certificate?: CertificateFacts
}

/**
 * Starts a web site on a free port of 127.0.0.1, with realistic pages and every kind of problem; see the tables in
 * site/.
 */
export async function startSite({ routes = {}, certificate }: SiteOptions = {}): Promise<Site> {
  const table = {
    ...contentRoutes,
    ...kindRoutes,
    ...redirectRoutes,
    ...codingRoutes,
    ...troubleRoutes,
    ...charsetRoutes,
    ...browserRoutes,
    ...formRoutes,
    ...consentRoutes,
    ...hostileRoutes,
    ...routes,
  }
  const requests: SeenRequest[] = []
  const connections = new WeakMap<object, number>()
  let connectionCount = 0

  const listener: http.RequestListener = (request, response) => {
    const seen: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      connection: connections.get(request.socket) ?? 0,
      closed: false,
    }
    requests.push(seen)
    response.on('close', () => {
      seen.closed = !response.writableFinished
    })
    const url = new URL(seen.url, origin)
    const route = findRoute(table, url.pathname)
    const answering = async () => route({ request, response, url, origin })
    answering().catch(() => response.destroy())
  }

  const server = certificate ? https.createServer(selfSigned(certificate), listener) : http.createServer(listener)
  server.on(certificate ? 'secureConnection' : 'connection', (socket: object) => {
    connectionCount += 1
    connections.set(socket, connectionCount)
  })
  // On a loaded machine, the server could close a connection just when a client reuses it; clients close sooner.
  server.keepAliveTimeout = 60_000
  const { port } = await listen(server)
  const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`

  return {
    origin,
    port,
    url: (path) => `${origin}${path}`,
    requests,
    close: () => closeNow(server),
  }
}
