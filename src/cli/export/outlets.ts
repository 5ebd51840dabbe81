import type { ExchangeListener } from '../../contracts/fetch.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { type CrawlNote, type CrawlRecord, openRecord } from './crawl-record.ts'
import type { CrawlPlan } from './crawl-plan.ts'
import { type ExportTable, openTable } from './export-table.ts'
import { createWarcWriter, targetOf } from './warc.ts'
import { z } from 'zod'
import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../engine/store/make-folder.ts'
import { writeWhole } from './jsonl.ts'
import { percentDecoded } from '../../util/words.ts'

const Line = z.object({ file: z.string(), metadata: z.object({ scrapeId: z.string() }) })

/** Opens the folder in which each page is a markdown file and a line that names the file. */
export async function openFolder(folder: string, begin: 'new' | 'resumed', now: () => number): Promise<CrawlRecord> {
  const files = createMarkdownFiles(folder, now)
  return openRecord(folder, begin, {
    lineOf: async (document) => ({ file: await files.write(document), ...document }),
    seen: (line) => {
      const { file, metadata } = Line.parse(line)
      files.taken(file, metadata.scrapeId)
    },
  })
}

/** Outputs of a crawl: pages go to a folder, a table or stdout, exchanges to a WARC file. */
export type Outlets = {
  written(): number
  write(document: Document): Promise<void>
  /** Stores the facts needed to resume the crawl. */
  note(crawl: Pick<CrawlNote, 'id' | 'url' | 'status'>): Promise<void>
  /** Pages written without an archived exchange: another process fetched them, or they came from the cache. */
  unarchived(): number
  /** Creates the outputs that need all pages, once the crawl is over. */
  finish(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
type OutletOptions = {
  software: string
  now: () => number
  /** Reports each exchange with a site and waits for the listener; returns the function that stops it. */
  watch: (listener: ExchangeListener) => () => void
  /** Prints a page that is not written to a file. */
  print: (document: Document) => Promise<void>
  /** Called with the reason when exchanges can no longer be written. */
  failed: (cause: unknown) => void
}

/** Opens the outputs that a plan names. */
export async function openOutlets({ start, out, warc }: CrawlPlan, options: OutletOptions): Promise<Outlets> {
  const begin = 'resumed' in start ? 'resumed' : 'new'
  const pages = out ? await openTarget(out, begin, options.now) : printed(warc ? async () => {} : options.print)
  const archive = warc && (await openArchive(warc, options).catch(closing(pages)))
  let last: Parameters<Outlets['note']>[0] | undefined
  const note = async () => {
    const fact = warc && archive && { warc: { file: warc.file, bytes: archive.bytes() } }
    if (last) await pages.note({ ...last, ...fact })
  }
  return {
    written: pages.written,
    write: async (document) => {
      archive?.expect(document.metadata.url)
      await pages.write(document)
    },
    note: async (crawl) => {
      // The first poll of a resumed crawl returns pages fetched by an earlier run.
      if (begin === 'new' || last) archive?.beginCount()
      last = crawl
      await note()
    },
    unarchived: () => archive?.missing() ?? 0,
    finish: pages.finish,
    close: async () => {
      await archive?.close()
      await note()
      await pages.close()
    },
  }
}

async function openTarget(
  { kind, path }: NonNullable<CrawlPlan['out']>,
  begin: 'new' | 'resumed',
  now: () => number,
): Promise<ExportTable> {
  if (kind !== 'folder') return openTable({ kind, path }, begin, now)
  return { ...(await openFolder(path, begin, now)), finish: async () => {} }
}

const closing = (pages: { close(): Promise<void> }) => async (thrown: unknown) => {
  await pages.close()
  throw thrown
}

async function openArchive({ file, wholeUpTo }: NonNullable<CrawlPlan['warc']>, options: OutletOptions) {
  const { software, now, watch, failed } = options
  const writer = await createWarcWriter(file, { software, now, wholeUpTo })
  const received = new Set<string>()
  let [counts, missing] = [false, 0]
  const unwatch = watch((exchange) => {
    for (const { url } of [exchange.request, exchange.response]) received.add(targetOf(url))
    return writer.write(exchange).catch(failed)
  })
  return {
    bytes: writer.bytes,
    beginCount: () => void (counts = true),
    expect: (url: string) => {
      if (!received.delete(targetOf(url)) && counts) missing += 1
    },
    missing: () => missing,
    close: async () => {
      unwatch()
      await writer.close()
    },
  }
}

function printed(print: (document: Document) => Promise<void>) {
  let written = 0
  return {
    written: () => written,
    write: async (document: Document) => {
      await print(document)
      written += 1
    },
    note: async () => {},
    finish: async () => {},
    close: async () => {},
  }
}

type MarkdownFiles = {
  /**
   * Writes the file of a document and returns its path in the folder, with slashes. The same document gets the same
   * file again.
   */
  write(document: Document): Promise<string>
  /** Registers a file written by an earlier run. */
  taken(path: string, scrapeId: string): void
}

export function createMarkdownFiles(folder: string, now: () => number): MarkdownFiles {
  const owners = new Map<string, string>()
  const place = ({ url, scrapeId }: Document['metadata']) => {
    const wanted = pathOf(url)
    const free = [wanted, withMark(wanted, url)].find((path) => {
      const owner = owners.get(folded(path))
      return owner === undefined || owner === scrapeId
    })
    const path = free ?? withMark(wanted, scrapeId)
    owners.set(folded(path), scrapeId)
    return path
  }
  return {
    write: async (document) => {
      const path = place(document.metadata)
      const file = join(folder, ...path.split('/'))
      await makeFolder(dirname(file))
      await writeWhole(file, markdownFile(document, now()))
      return path
    },
    taken: (path, scrapeId) => void owners.set(folded(path), scrapeId),
  }
}

/** Formats a page as markdown with its metadata as YAML front matter. `now` is used if the page has no fetch time. */
export function markdownFile(document: Document, now: number): string {
  const facts = Object.entries(factsOf(document.metadata, now)).flatMap(([name, value]) => {
    if (typeof value === 'number') return [`${name}: ${value}\n`]
    return typeof value === 'string' && value !== '' ? [`${name}: ${quoted(value)}\n`] : []
  })
  const text = document.markdown ?? document.summary ?? document.html ?? document.rawHtml ?? ''
  return `---\n${facts.join('')}---\n\n${text.trimEnd()}\n`
}

const factsOf = (metadata: Document['metadata'], now: number) => ({
  title: metadata.title,
  url: metadata.url,
  sourceURL: metadata.sourceURL,
  statusCode: metadata.statusCode,
  description: metadata.description,
  language: metadata.language,
  fetched: metadata.cachedAt ?? new Date(now).toISOString(),
  scrapeId: metadata.scrapeId,
})

/**
 * Formats text as a double-quoted YAML scalar (YAML 1.2, 7.3.1). It is JSON, except that characters are escaped that
 * YAML does not accept, or that older readers treat as line ends.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Maximum UTF-8 bytes of one path segment. Systems allow 255, but other programs may add some to the name. */
const maxSegment = 120
const maxFolders = 240
const ending = '.md'

/**
 * Derives the path of a page from its URL: host and path become folders, the query the end of the file name. The path
 * is valid on Linux, macOS and Windows. Different URLs may get paths that differ in case only, and rarely the same
 * path.
 */
export function pathOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  const parts = pathname.slice(1).split('/')
  const last = decoded(parts.pop() ?? '')
  const query = search.length > 1 ? `--${decoded(search.slice(1))}` : ''
  const folders = parts.map((part) => folderName(decoded(part)))
  const file = fileName(`${last || 'index'}${query}`)
  const path = [folderName(host.replace(/:(?=\d+$)/, '_')), ...fitting(folders), file]
  return fitting(folders).length === folders.length ? path.join('/') : withMark(path.join('/'), url)
}

/** Adds a mark to a path, for a document that must not overwrite another. */
export function withMark(path: string, identity: string): string {
  const at = path.lastIndexOf('/') + 1
  const mark = `~${shortHash(identity)}${ending}`
  return `${path.slice(0, at)}${cut(path.slice(at, -ending.length), maxSegment - mark.length)}${mark}`
}

/** Returns a key that is equal for paths of one file on systems that ignore case or Unicode normalization. */
export const folded = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

const shortHash = (text: string) => hash('sha256', text, 'hex').slice(0, 10)

/** Returns the folders whose path is short enough. */
function fitting(folders: readonly string[]): readonly string[] {
  const full = folders.findIndex((_, index) => Buffer.byteLength(folders.slice(0, index + 1).join('/')) > maxFolders)
  return full === -1 ? folders : folders.slice(0, full)
}

/** Converts a name to that of a folder, which never ends in `.md`, so that `/a.md/b` does not conflict with `/a`. */
const folderName = (name: string) => safeName(name.replace(/\.md$/i, '$&_') || '_', '')
const fileName = (name: string) => safeName(/\.md$/i.test(name) ? name.slice(0, -ending.length) : name, ending)

function safeName(name: string, end: string): string {
  const safe = name
    .replace(/[\p{C}\p{Z}<>:"/\\|?*%]/gu, encoded)
    .replace(/^[.~]|\.$/g, encoded)
    .replace(reserved, '_$&')
  const whole = `${safe}${end}`
  if (Buffer.byteLength(whole) <= maxSegment) return whole
  const mark = `~${shortHash(name)}${end}`
  return `${cut(safe, maxSegment - mark.length)}${mark}`
}

/** Device names of Windows, with any extension; and the files of the export itself. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)|^(?:crawl\.json|pages\.jsonl)$/i

const encoded = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Decodes a part of a URL; invalid UTF-8 stays escaped. */
const decoded = (part: string) => percentDecoded(part).normalize('NFC')

/** Returns the start of a text with at most `maxBytes` bytes, without partial characters. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}
