import type { ErrorCode } from '../../../src/kernel/error.ts'

/** Parts of the request that cause the error. REST and MCP are two addresses of one server. */
export type ByHttp = {
  /** Calls at a server whose authorization server does not answer. */
  isEarly?: true
  /** Path, if not the address itself. */
  below?: string
  method?: string
  /** With a valid key, unless these say otherwise; there is an access token without the scope that every call needs. */
  headers?: (narrow: string) => Record<string, string>
  body?: string
}

/** Errors of the request itself, before anybody knows which operation or tool is meant. */
export const byHttp = {
  UNAUTHORIZED: { headers: () => ({ authorization: 'Bearer nobody' }) },
  INSUFFICIENT_SCOPE: { headers: (narrow) => ({ authorization: `Bearer ${narrow}` }) },
  AUTHORIZATION_UNAVAILABLE: { isEarly: true, headers: (narrow) => ({ authorization: `Bearer ${narrow}` }) },
  ORIGIN_REFUSED: { headers: () => ({ origin: 'https://evil.example' }) },
  NOT_FOUND: { below: '/no/such/route' },
  METHOD_NOT_ALLOWED: { method: 'PUT' },
  PAYLOAD_TOO_LARGE: { body: JSON.stringify({ url: 'x'.repeat(20_000) }) },
} as const satisfies Partial<Record<ErrorCode, ByHttp>>
