import type { PageResponse } from '../../../contracts/fetch.ts'

/** Where a page sends its visitors by a Refresh header or a meta element at its beginning; undefined where it does not. */
export function refreshTarget({ url, headers, body }: PageResponse): URL | undefined {
  const isHtml = /html/i.test(headers['content-type'] ?? 'text/html')
  const written = targetIn(headers['refresh']) ?? (isHtml ? targetIn(metaRefresh(body)) : undefined)
  return (written === undefined ? undefined : URL.parse(written, url)) ?? undefined
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
const targetIn = (value: string | undefined) =>
  /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(value?.slice(0, maxTagChars) ?? '')?.[1]?.trim()
