import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

export type Listening = { port: number; place: string; origin: string; close(): void }

/** Starts a server on a free loopback port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
  await once(server.listen(0, host), 'listening')
  const { port } = server.address() as AddressInfo
  const place = `127.0.0.1:${port}`
  return { port, place, origin: `http://${place}`, close: () => void closeNow(server) }
}

/** Starts an HTTP server with one answer for all requests. */
export const serve = (answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Listening> =>
  listen(createServer((request, response) => void answer(request, response)))

/** Closes a server with its connections; resolves when it has closed. */
export function closeNow(server: Server & { closeAllConnections?(): void }): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections?.()
  return closed
}

/** Returns a port that is free now, for programs whose address must be known before they start. */
export async function freePort(): Promise<number> {
  const { port, close } = await serve(() => {})
  close()
  return port
}

/** Body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}
