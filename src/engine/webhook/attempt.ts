import type { ClaimedDelivery } from '../../core/crawl.ts'
import { AppError, type ErrorCode } from '../../core/error.ts'
import type { Post } from '../net/post.ts'
import { signatureHeaders } from './sign.ts'

/** What came of one try; `refused` will not be otherwise another time. */
export type Attempt = { came: 'acknowledged' } | { came: 'missed' | 'refused'; why: string }

/** Sends an event once. Fails only with the reason of the signal. */
export async function attempt(
  { post, secret, timeoutMs }: { post: Post; secret: string | undefined; timeoutMs: number },
  { url, headers, body }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const own = { 'content-type': 'application/json', ...signatureHeaders(secret, body) }
  try {
    const { status } = await post({ url, headers: { ...headers, ...own }, body, timeoutMs, signal })
    return judge(status)
  } catch (error) {
    signal.throwIfAborted()
    return faultOf(error)
  }
}

function judge(status: number): Attempt {
  if (status >= 200 && status < 300) return { came: 'acknowledged' }
  if (status === 410) return { came: 'refused', why: 'The receiver answered 410: it wants no more events.' }
  if (status >= 300 && status < 400)
    return { came: 'missed', why: `The receiver answered with a redirect (${status}), which is not followed.` }
  return { came: 'missed', why: `The receiver answered with status ${status}.` }
}

const hopeless: Partial<Record<ErrorCode, string>> = {
  SCRAPE_ADDRESS_REFUSED:
    'The address of the receiver is private, local or reserved; the operator can add the host to the allowHosts setting.',
  BAD_REQUEST: 'The URL or a header of the webhook cannot be sent.',
}

function faultOf(error: unknown): Attempt {
  if (!(error instanceof AppError)) return { came: 'missed', why: 'The event could not be sent.' }
  const why = hopeless[error.code as ErrorCode]
  return why === undefined ? { came: 'missed', why: error.message } : { came: 'refused', why }
}
