import { STATUS_CODES } from 'node:http'
import type { Exchange } from '../../core/exchange.ts'
import { fieldName, oneLine } from './warc-record.ts'

/** The address as a record names it: in ASCII, without the part that is never sent. */
export function targetOf(url: string): string {
  if (!URL.canParse(url)) return encodeURI(oneLine(url).toWellFormed())
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** The request as it stands on the wire of HTTP/1.1. */
export function requestBlock({ url, method, headers }: Exchange['request']): Buffer {
  const { host, pathname, search } = new URL(url)
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  const lines = [...(hasHost ? [] : [['host', host] as const]), ...Object.entries(headers)]
  return Buffer.concat([Buffer.from(`${fieldName(method)} ${pathname}${search} HTTP/1.1\r\n`), headerLines(lines)])
}

/** The response with its body as it was decoded; headers that told of the coding stay under other names. */
export function responseBlock({ status, headers, body }: Exchange['response']): Buffer {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const known = name.toLowerCase()
    if (known === 'content-length' && value === String(body.length)) return []
    return [[aboutCoding.has(known) ? `X-Archive-Orig-${name}` : name, value] as const]
  })
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`),
    headerLines([...kept, ['content-length', String(body.length)]]),
    body,
  ])
}
const aboutCoding = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

const headerLines = (headers: readonly (readonly [string, string])[]) =>
  Buffer.concat([
    ...headers.map(([name, value]) => asReceived(`${fieldName(name)}: ${oneLine(value)}\r\n`)),
    Buffer.from('\r\n'),
  ])

/** Header bytes are read as one character each, so they are written as one byte each; what cannot be such a byte is UTF-8. */
const asReceived = (line: string) => Buffer.from(line, /[^\0-\xFF]/.test(line) ? 'utf8' : 'latin1')
