import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { withUrlCredentials } from './request-headers.ts'

export type TrustedRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}
/** The URL is sent as it is, with these headers alone, so that what was signed is what goes out. */
export type SignedRequest = Omit<TrustedRequest, 'body'> & { method: 'GET' | 'PUT' | 'DELETE'; body?: Uint8Array }
/** A response with any status; redirects are not followed. Header names are in lower case. */
export type TrustedResponse = {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  body: AsyncIterable<Uint8Array>
  /** Frees the connection, whether or not the body was read. */
  end(): Promise<void>
}
export type TrustedClient = {
  post(request: TrustedRequest): Promise<TrustedResponse>
  send(request: SignedRequest): Promise<TrustedResponse>
  close(): Promise<void>
}

const connectTimeoutMs = 10_000

/**
 * Asks a service that the operator named in the settings, wherever it is: no page and no caller has a say in the URL,
 * so no rule of addresses applies. Waits as long as the signal lets it. Errors are those of the network as they are.
 */
export function createTrustedClient(userAgent: string): TrustedClient {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  return {
    post({ url: address, headers: given, body, signal }) {
      const { url, headers } = withUrlCredentials(new URL(address), {
        'user-agent': userAgent,
        // Answers are short, and a compressed stream comes in lumps.
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        ...given,
      })
      const path = `${url.pathname}${url.search}`
      return exchange(agent, { origin: url.origin, path, method: 'POST', headers, body, signal })
    },
    send({ url: address, headers, method, body, signal }) {
      const { origin, pathname, search } = new URL(address)
      const path = `${pathname}${search}`
      return exchange(agent, {
        origin,
        path,
        method,
        headers: { ...headers, 'user-agent': userAgent },
        signal,
        ...(body && { body }),
      })
    },
    close: () => agent.destroy(),
  }
}

async function exchange(agent: Agent, request: Dispatcher.RequestOptions): Promise<TrustedResponse> {
  const { statusCode, headers, body } = await agent.request(request)
  body.on('error', () => {})
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])),
    body,
    async end() {
      body.destroy()
      // undici frees the connection one turn of the event loop after the body.
      await setImmediate()
    },
  }
}
