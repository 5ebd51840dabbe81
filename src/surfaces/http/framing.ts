import type { IncomingMessage } from 'node:http'

const most = 200

/**
 * Why a request is refused that Node's parser lets pass, although a proxy before us may read it in another way, so that one
 * would see two requests where the other sees one (RFC 9112, sections 3.2 and 6.1).
 */
export function framingFault({ headersDistinct, rawHeaders, httpVersionMajor }: IncomingMessage): string | undefined {
  if (httpVersionMajor !== 1) return 'Only HTTP/1.1 and HTTP/1.0 are spoken here.'
  if ((headersDistinct['host'] ?? []).length > 1) return 'There is more than one Host header.'
  if (rawHeaders.length / 2 > most) return `There are more than ${most} headers.`
  const coding = headersDistinct['transfer-encoding']
  if (coding === undefined) return undefined
  return coding.length === 1 && coding[0]?.toLowerCase() === 'chunked'
    ? undefined
    : 'The only transfer encoding is chunked.'
}
