import { createHmac } from 'node:crypto'
import type { Delivery } from '../../contracts/webhook.ts'
import { AppError, type ErrorCode } from '../../kernel/error.ts'
import type { Post } from '../net/http/post.ts'

/** Outcome of one attempt; `refused` is final. */
export type Attempt = { outcome: 'acknowledged' } | { outcome: 'failed' | 'refused'; why: string }

/** Sends an event once. Fails only with the reason of the signal. */
export async function attempt(
  { post, teamId, secret, timeoutMs }: { post: Post; teamId: string; secret: string | undefined; timeoutMs: number },
  { url, headers, body }: Pick<Delivery, 'url' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Attempt> {
  const own = { 'content-type': 'application/json', ...signatureHeaders(secret, body) }
  try {
    const { status } = await post({ url, teamId, headers: { ...headers, ...own }, body, timeoutMs, signal })
    return outcomeOfStatus(status)
  } catch (error) {
    signal.throwIfAborted()
    return outcomeOfError(error)
  }
}

function outcomeOfStatus(status: number): Attempt {
  if (status >= 200 && status < 300) return { outcome: 'acknowledged' }
  if (status === 410) return { outcome: 'refused', why: 'The receiver answered 410, so no more events are sent.' }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', why: `The receiver answered with a redirect (${status}), which is not followed.` }
  return { outcome: 'failed', why: `The receiver answered with status ${status}.` }
}

const permanentErrors: Partial<Record<ErrorCode, string>> = {
  SCRAPE_ADDRESS_REFUSED:
    'The receiver has a private, local or reserved address; the operator can add the host to GOSSAMER_ALLOW_HOSTS, or to the private hosts of the team.',
  BAD_REQUEST: 'The URL or a header of the webhook cannot be sent.',
}

function outcomeOfError(error: unknown): Attempt {
  if (!(error instanceof AppError)) return { outcome: 'failed', why: 'The event could not be sent.' }
  const why = permanentErrors[error.code as ErrorCode]
  return why === undefined ? { outcome: 'failed', why: error.message } : { outcome: 'refused', why }
}

/** Two names for one value: receivers written for either service find theirs. */
const names = ['x-service-signature', 'x-firecrawl-signature']

/** Headers that prove who sent the body: `sha256=<hex>`, the HMAC-SHA256 of its bytes. None without a secret. */
export function signatureHeaders(secret: string | undefined, body: string): Record<string, string> {
  if (!secret) return {}
  const signature = `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`
  return Object.fromEntries(names.map((name) => [name, signature]))
}
