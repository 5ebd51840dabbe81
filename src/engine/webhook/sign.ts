import { createHmac } from 'node:crypto'

/** Two names for one value: receivers written for either service find theirs. */
const names = ['x-service-signature', 'x-firecrawl-signature']

/** Headers that prove who sent the body: `sha256=<hex>`, the HMAC-SHA256 of its bytes. None without a secret. */
export function signatureHeaders(secret: string | undefined, body: string): Record<string, string> {
  if (!secret) return {}
  const signature = `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`
  return Object.fromEntries(names.map((name) => [name, signature]))
}
