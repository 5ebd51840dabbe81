import type { PageResponse } from '../../../contracts/fetch.ts'
import { textLength } from './bot-challenge.ts'

/** Reason phrases (RFC 9110). `node:http` has them too, but loading it takes a third of the start-up time. */
const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  425: 'Too Early',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
}

export const statusText = (status: number): string => phrases[status] ?? `Status ${status}`

/**
 * Parses Retry-After as a pause in ms: it is a number of seconds or a date (RFC 9110, 10.2.3). The first of repeated
 * headers counts.
 */
export function retryAfterMs(value = '', now: number): number | undefined {
  const [, seconds] = /^\s*(-?\d+(?:\.\d+)?)\s*(?:,|$)/.exec(value) ?? []
  const pauseMs = seconds === undefined ? Date.parse(value) - now : Number(seconds) * 1000
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs)
}

/** True if a link with this relation leads to a page of the same series, or to the page itself under another URL. */
export const leadsOn = (rel: string): boolean => /(?:^|\s)(?:next|prev|canonical)(?:\s|$)/i.test(rel)

/** Returns the pages that headers name: targets of Link headers (RFC 8288), and of a refresh with any delay. */
export function pagesInHead({ url, headers }: Pick<PageResponse, 'url' | 'headers'>): string[] {
  const links = [...(headers['link'] ?? '').matchAll(/<([^<>]*)>([^<]*)/g)].flatMap(
    ([, target = '', parameters = '']) => {
      const [, quoted, bare = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]*))/i.exec(parameters) ?? []
      return leadsOn(quoted ?? bare) ? (URL.parse(target, url)?.href ?? []) : []
    },
  )
  return [...links, readRefresh(headers['refresh'], url)?.url.href ?? []].flat()
}

type Refresh = { url: URL; seconds: number }

/** Returns the target of a Refresh header or of a meta refresh near the start of a page; undefined if there is none. */
export function refreshOf({ url, headers, body }: Pick<PageResponse, 'url' | 'headers' | 'body'>): Refresh | undefined {
  const isHtml = /html/i.test(headers['content-type'] ?? 'text/html')
  return readRefresh(headers['refresh'], url) ?? (isHtml ? readRefresh(metaRefresh(body), url) : undefined)
}

/** Maximum characters of text on a page that only announces a redirect. */
const maxTextChars = 400
const maxDelaySeconds = 5

/**
 * Returns the target of a refresh that acts as a redirect: it comes within seconds, and the page has hardly any text.
 */
export function refreshRedirect(page: PageResponse): URL | undefined {
  if (page.body.byteLength > maxHeadBytes) return undefined
  const refresh = refreshOf(page)
  if (!refresh || refresh.seconds > maxDelaySeconds) return undefined
  return textLength(Buffer.from(page.body).toString('latin1')) <= maxTextChars ? refresh.url : undefined
}

const maxHeadBytes = 32_768
const maxTagChars = 2000
/** Parts whose tags a browser with scripts ignores. An unclosed part extends to the end of the text. */
const unreadParts = /<!--[^]*?(?:-->|$)|<(noscript|script|style|template|textarea|title)\b[^]*?(?:<\/\1|$)/gi
const isRefresh = /\shttp-equiv\s*=\s*["']?refresh(?![-\w])/i
const content = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i

function metaRefresh(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxHeadBytes))
  const start = bytes.toString('latin1')
  // Removing the unread parts takes as long as parsing; most pages do not contain the word at all.
  if (!/refresh/i.test(start)) return undefined
  const head = start.replaceAll(unreadParts, '')
  for (const { index } of head.matchAll(/<meta\s/gi)) {
    const end = head.indexOf('>', index)
    const tag = end === -1 ? '' : head.slice(index, Math.min(end, index + maxTagChars))
    const [, double, single, bare] = (isRefresh.test(tag) && content.exec(tag)) || []
    const value = double ?? single ?? bare
    if (value !== undefined) return value.replaceAll('&amp;', '&')
  }
  return undefined
}

/** Parses `5; url='https://a.example/'`, almost as the HTML standard does (shared declarative refresh steps). */
export function readRefresh(value: string | undefined, base: string): Refresh | undefined {
  const [, seconds, written] =
    /^\s*([\d.]+)\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(value?.slice(0, maxTagChars) ?? '') ?? []
  const url = written === undefined ? null : URL.parse(written.trim(), base)
  return url ? { url, seconds: Number.parseFloat(seconds ?? '') || 0 } : undefined
}
