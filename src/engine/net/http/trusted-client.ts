import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { withUrlCredentials } from './request-headers.ts'

type TrustedRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}
/** A signed request. Its URL and headers are sent unchanged, because the signature covers them. */
type SignedRequest = Omit<TrustedRequest, 'body'> & { method: 'GET' | 'PUT' | 'DELETE'; body?: Uint8Array }
/** A response with any status; redirects are not followed. Header names are in lower case. */
export type TrustedResponse = {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  body: AsyncIterable<Uint8Array>
  /** Frees the connection, even if the body was not read. */
  end(): Promise<void>
}
export type TrustedClient = {
  post(request: TrustedRequest): Promise<TrustedResponse>
  send(request: SignedRequest): Promise<TrustedResponse>
  close(): Promise<void>
}

const connectTimeoutMs = 10_000

/**
 * Creates a client for services that the operator configured. Any address is allowed, because neither pages nor callers
 * control the URL. Only the signal limits the time. Network errors are not converted.
 */
export function createTrustedClient(userAgent: string): TrustedClient {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  return {
    post({ url: address, headers: ownHeaders, body, signal }) {
      const { url, headers } = withUrlCredentials(new URL(address), {
        'user-agent': userAgent,
        // Responses are short, and compression would delay streamed chunks.
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        ...ownHeaders,
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
