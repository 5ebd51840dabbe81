import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listen, serve } from '../helpers/listen.ts'

/** A proxy on loopback with a password. `brought` returns true for a connection that the proxy made to a site. */
export async function startProxy(secret = '') {
  const ports = new Set<number>()
  const tunnels = new Set<Socket>()
  const wanted = secret === '' ? undefined : `Basic ${Buffer.from(secret).toString('base64')}`
  const note = (socket: Socket) => void socket.once('connect', () => ports.add(socket.localPort ?? 0))
  const server = createServer((request, response) => {
    if (request.headers['proxy-authorization'] !== wanted) return void response.writeHead(407).end()
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = ask(request.url ?? '', { method: request.method, headers, agent: false }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    onward.on('socket', note).on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket, head: Buffer) => {
    if (headers['proxy-authorization'] !== wanted) return void client.end('HTTP/1.1 407 No\r\n\r\n')
    const [host, port] = url.split(':')
    const onward = connect(Number(port), host, () => {
      ports.add(onward.localPort ?? 0)
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      client.pipe(onward).pipe(client)
    })
    for (const socket of [client, onward]) {
      tunnels.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => onward.destroy())
    }
  })
  const { place, close } = await listen(server)
  return {
    address: `http://${secret === '' ? '' : `${secret}@`}${place}`,
    brought: ({ socket }: IncomingMessage) => ports.has(socket.remotePort ?? 0),
    close() {
      for (const socket of tunnels) socket.destroy()
      close()
    },
  }
}
export type Proxy = Awaited<ReturnType<typeof startProxy>>

const inside = `<!doctype html><title>Tides</title><main><h1>Tides</h1><p>The moon pulls the sea, and the sea follows it around
the earth twice a day; how high it comes depends on the coast, the season and the wind.</p></main>`

/** Responds with the marks of a Cloudflare challenge. */
function challenge(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/html', server: 'cloudflare', 'cf-mitigated': 'challenge' })
  response.end(`<!doctype html><title>Just a moment...</title><body>Verifying you are human. This may take a few seconds.
<script>window._cf_chl_opt = { cType: 'managed' }</script>`)
}

/** A site behind a bot wall: `/guarded` admits only visitors by the enhanced proxy, `/stays` admits none. */
export async function startWalledSite(enhanced: Proxy, basic: Proxy) {
  const visits: { path: string; by: 'enhanced' | 'basic' | 'itself' }[] = []
  const { place, close } = await serve((request, response) => {
    const path = request.url ?? ''
    const by = enhanced.brought(request) ? 'enhanced' : basic.brought(request) ? 'basic' : 'itself'
    if (path === '/favicon.ico') return void response.writeHead(404).end()
    visits.push({ path, by })
    if (path.startsWith('/guarded') && by === 'enhanced')
      return void response.setHeader('content-type', 'text/html').end(inside)
    challenge(response)
  })
  return {
    place,
    /** Returns the proxies of the visits to a path, in order. */
    visitorsOf: (path: string) => visits.flatMap((visit) => (visit.path === path ? [visit.by] : [])),
    close,
  }
}
