import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'
import type { PageResponse } from '../../../contracts/fetch.ts'
import { gzipTrailerLength, isGzip } from '../../../util/file-bytes.ts'
import { createXmlReader } from '../../../util/xml.ts'
import { decodeText } from '../charset.ts'
import { type SitemapItem, toSitemapItem, createXmlEntries } from './sitemap-entries.ts'

/** Limits of the sitemap protocol (sitemaps.org). */
const maxEntries = 50_000
export const maxFileBytes = 50_000_000
const batchSize = 1000

/** Reading stops after so many bytes without any sitemap element. */
const patienceBytes = 1_000_000
const damaged = 'A compressed sitemap is damaged; only the part before the damage was read.'
const cutOff = 'A sitemap ends in the middle of an entry; that entry was left out.'
const tooMany = `A sitemap holds more than ${maxEntries} URLs; the rest was skipped.`
const tooLarge = `A sitemap is larger than ${maxFileBytes / 1_000_000} MB; the rest was skipped.`
const noSitemap = 'A sitemap holds no URLs: the site answered with something else.'

/**
 * Reads a file as far as possible: XML, a feed or plain lines, compressed or not. Yields batches of at most 1,000
 * items, each URL once, and lets other tasks run in between. Returns a message about the file, if any.
 */
export async function* readSitemapFile(page: PageResponse): AsyncGenerator<SitemapItem[], string | undefined> {
  const reader = createReader(page)
  let end: string | undefined
  for await (const piece of pieces(page.body)) {
    if (piece === 'damaged') {
      reader.end('cut')
      end = damaged
    } else end = reader.push(piece)
    yield* reader.batches(batchSize)
    if (end !== undefined) break
  }
  end ??= reader.end('whole')
  yield* reader.batches(1)
  return end
}

/** Creates a reader. `push` and `end` return a message if reading ends there. */
function createReader({ url, headers }: PageResponse) {
  const seen = new Set<string>()
  let unread: SitemapItem[] = []
  let size = 0
  let count = 0
  let decoder: TextDecoder | undefined
  let scanner: FileScanner | undefined

  function take(item: SitemapItem): void {
    count += 1
    if (count > maxEntries || seen.has(item.entry.url)) return
    seen.add(item.entry.url)
    unread.push(item)
  }
  function scan(text: string): void {
    scanner ??= scannerFor(text, url, take)
    scanner?.push(text)
  }
  const isForeign = () => seen.size === 0 && !scanner?.isSitemap()

  return {
    push(piece: Uint8Array): string | undefined {
      decoder ??= new TextDecoder(charsetOf(piece, headers['content-type']))
      const rest = maxFileBytes - size
      size += piece.length
      scan(decoder.decode(piece.subarray(0, rest), { stream: true }))
      if (count > maxEntries) return tooMany
      if (size > maxFileBytes) return tooLarge
      return isForeign() && size > patienceBytes ? noSitemap : undefined
    },
    end(how: FileEnd): string | undefined {
      scan(decoder?.decode() ?? '')
      const isCutOff = scanner?.end(how) ?? false
      if (count > maxEntries) return tooMany
      if (isForeign()) return noSitemap
      return isCutOff ? cutOff : undefined
    },
    /** Yields the items not returned yet, in batches, while there are at least `atLeast`. */
    *batches(atLeast: number): Generator<SitemapItem[]> {
      while (unread.length >= atLeast) {
        const batch = unread.slice(0, batchSize)
        unread = unread.slice(batchSize)
        yield batch
      }
    },
  }
}

/** Detects the charset from the start of the file, up to an ASCII byte, so that no character is split. */
function charsetOf(piece: Uint8Array, contentType: string | undefined): string {
  const head = piece.subarray(0, 4096)
  const end = head.findLastIndex((byte) => byte < 0x80) + 1
  return decodeText(head.subarray(0, end), contentType).charset
}

/** End of a file: complete, or truncated by damage. */
type FileEnd = 'whole' | 'cut'
/** `end` returns true if the file ends within an entry. */
type FileScanner = { push(chunk: string): void; end(how: FileEnd): boolean; isSitemap(): boolean }

/** Chooses a scanner by the first visible text, which may be an error message before the XML; undefined without any. */
function scannerFor(text: string, url: string, take: (found: SitemapItem) => void): FileScanner | undefined {
  const [first] = text.trimStart()
  if (first === undefined) return undefined
  if (first !== '<' && !/<(?:\?xml|urlset|sitemapindex)\b/i.test(text)) return createLineScanner(url, take)
  const entries = createXmlEntries(url, take)
  return { push: createXmlReader(entries).write, end: entries.end, isSitemap: entries.isSitemap }
}

/** Maximum length of a line; longer ones are not URLs and are discarded. */
const maxLineLength = 10_000

/** Reads a plain-text sitemap with one absolute URL per line; other lines are ignored. */
function createLineScanner(base: string, emit: (item: SitemapItem) => void): FileScanner {
  let rest = ''
  let isTooLong = false

  function take(line: string): void {
    const url = line.trim()
    const item = !isTooLong && /^https?:\/\//i.test(url) ? toSitemapItem('page', base, { url }) : undefined
    if (item) emit(item)
    isTooLong = false
  }
  return {
    push(chunk) {
      const lines = `${rest}${chunk}`.split(/\r\n?|\n/)
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
      if (rest.length > maxLineLength) isTooLong = true
      if (isTooLong) rest = ''
    },
    end(how) {
      if (how === 'whole') take(rest)
      return false
    },
    isSitemap: () => false,
  }
}

const pieceBytes = 65_536
/** Chunks read before other tasks may run: two to three thousand entries, which take a few milliseconds. */
const piecesPerTurn = 4
/** With the default finish flush, a truncated file would lose its last block. */
const options = { chunkSize: pieceBytes, finishFlush: zlib.constants.Z_SYNC_FLUSH }

/**
 * Yields a file in chunks of at most 64 KiB, decompressed if it is gzip, and `damaged` if decompression fails. Other
 * tasks can run after every few chunks.
 */
async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array | 'damaged'> {
  let count = 0
  for await (const piece of isGzip(body) ? unpacked(body) : cut(body)) {
    yield piece
    count += 1
    if (count % piecesPerTurn === 0) await setImmediate()
  }
}

/** Decompresses all gzip members; data behind them is ignored. */
async function* unpacked(body: Uint8Array): AsyncGenerator<Uint8Array | 'damaged'> {
  for (let rest = body; isGzip(rest);) {
    const packed = rest.subarray(gzipHeaderLength(rest))
    const stream = zlib.createInflateRaw(options)
    let size = 0
    try {
      stream.end(packed)
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        size += piece.length
        yield piece
      }
    } catch {
      return yield 'damaged'
    } finally {
      stream.destroy()
    }
    const [trailer, next] = [stream.bytesWritten, stream.bytesWritten + gzipTrailerLength]
    if (next > packed.length || Buffer.from(packed.subarray(trailer, next)).readUInt32LE(4) !== size)
      return yield 'damaged'
    rest = packed.subarray(next)
  }
}

/** Length of the gzip header (RFC 1952, 2.3), including the optional fields announced by its flags. */
function gzipHeaderLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length
  return flags & 2 ? at + 2 : at
}

function* cut(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}
