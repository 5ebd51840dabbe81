import type { PageResponse } from '../../../contracts/fetch.ts'
import { textLength } from './bot-challenge.ts'

export type Refresh = { url: URL; seconds: number }

/** Where a page sends its visitors by a Refresh header or a meta element at its beginning; undefined where it does not. */
export function refreshOf({ url, headers, body }: Pick<PageResponse, 'url' | 'headers' | 'body'>): Refresh | undefined {
  const isHtml = /html/i.test(headers['content-type'] ?? 'text/html')
  return readRefresh(headers['refresh'], url) ?? (isHtml ? readRefresh(metaRefresh(body), url) : undefined)
}

/** Text of a page that only says that it has moved, characters. */
const littleText = 400
const soonSeconds = 5

/** Where a page sends its visitors at once, as a redirect does: it shows hardly anything but that. */
export function refreshRedirect(page: PageResponse): URL | undefined {
  const refresh = refreshOf(page)
  if (!refresh || refresh.seconds > soonSeconds || page.body.byteLength > maxHeadBytes) return undefined
  return textLength(Buffer.from(page.body).toString('latin1')) <= littleText ? refresh.url : undefined
}

const maxHeadBytes = 32_768
const maxTagChars = 2000
const isRefresh = /\shttp-equiv\s*=\s*["']?refresh(?![-\w])/i
const content = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i

function metaRefresh(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxHeadBytes)).toString('latin1')
  for (const { index } of head.matchAll(/<meta\s/gi)) {
    const end = head.indexOf('>', index)
    const tag = end === -1 ? '' : head.slice(index, Math.min(end, index + maxTagChars))
    const [, double, single, bare] = (isRefresh.test(tag) && content.exec(tag)) || []
    const value = double ?? single ?? bare
    if (value !== undefined) return value.replaceAll('&amp;', '&')
  }
  return undefined
}

/** `5; url='https://a.example/'`, as the HTML standard reads it (shared declarative refresh steps), or close to it. */
export function readRefresh(value: string | undefined, base: string): Refresh | undefined {
  const [, seconds, written] =
    /^\s*([\d.]+)\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(value?.slice(0, maxTagChars) ?? '') ?? []
  const url = written === undefined ? null : URL.parse(written.trim(), base)
  return url ? { url, seconds: Number.parseFloat(seconds ?? '') || 0 } : undefined
}
