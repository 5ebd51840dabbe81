import type { ExchangeListener } from '../../contracts/fetch.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { type CrawlNote, type CrawlRecord, openRecord } from './crawl-record.ts'
import type { CrawlPlan } from './crawl-plan.ts'
import { type ExportTable, openTable } from './export-table.ts'
import { targetOf } from './warc-record.ts'
import { createWarcWriter } from './warc.ts'
import { z } from 'zod'
import { createMarkdownFiles } from './markdown-files.ts'

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
export type OutletOptions = {
  software: string
  now: () => number
  /** Reports each exchange with a site and waits for the listener; returns the function that stops it. */
  watch: (listener: ExchangeListener) => () => void
  /** Prints a page that is not written to a file. */
  print: (document: Document) => Promise<void>
  /** Called with the reason when exchanges can no longer be written. */
  failed: (cause: unknown) => void
}

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
  const came = new Set<string>()
  let [counts, missing] = [false, 0]
  const unwatch = watch((exchange) => {
    for (const { url } of [exchange.request, exchange.response]) came.add(targetOf(url))
    return writer.write(exchange).catch(failed)
  })
  return {
    bytes: writer.bytes,
    beginCount: () => void (counts = true),
    expect: (url: string) => {
      if (!came.delete(targetOf(url)) && counts) missing += 1
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
