import { readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive, thisProcess } from '../../engine/browser/launch/profile-dir.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { UsageError } from '../command.ts'
import { openJsonLines, makePlace, exists, writeWhole } from './jsonl.ts'

/** Contents of `crawl.json`: the crawl of a folder, and its progress. */
const CrawlNote = z.object({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  written: z.int(),
  warc: z.object({ file: z.string(), bytes: z.int() }).optional(),
  /** The process that writes to the folder; absent if no process does. */
  writer: z.object({ pid: z.int(), startedAt: z.string().nullable(), host: z.string() }).optional(),
})
export type CrawlNote = z.output<typeof CrawlNote>

/** Stores the pages of a crawl, so it can be resumed after the process has ended. */
export type CrawlRecord = {
  /** Number of stored documents. */
  written(): number
  write(document: Document): Promise<void>
  note(note: Omit<CrawlNote, 'written' | 'writer'>): Promise<void>
  close(): Promise<void>
}

/** Format of the lines of `pages.jsonl`. */
type LineFormat = {
  lineOf(document: Document): Promise<object>
  /** Receives each line of an earlier run; throws if the line is not in its format. */
  seen(line: unknown): void
}

export const noteFile = 'crawl.json'
export const linesFile = 'pages.jsonl'

/** Reads the note of a crawl. Fails with UsageError if the folder contains no crawl, or if a process is writing one. */
export async function readNote(folder: string): Promise<CrawlNote> {
  const text = await readFile(join(folder, noteFile), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${folder} contains no crawl (${noteFile}: ${cause.code}). Leave out --resume to start one.`)
  })
  const { writer, ...note } = noteIn(text, join(folder, noteFile))
  if (writer?.host === hostname() && (await isAlive(writer)))
    throw new UsageError(`The process ${writer.pid} is writing to ${folder}. Stop it first.`)
  return note
}

function noteIn(text: string, path: string): CrawlNote {
  try {
    return CrawlNote.parse(JSON.parse(text))
  } catch (cause) {
    throw new UsageError(`${path} was not written by "gossamer crawl", or is damaged.`, { cause })
  }
}

/**
 * Opens the folder of a crawl. The number of stored pages is taken from the lines of `pages.jsonl`, each written once
 * its page is on disk: the count in `crawl.json` may lag behind.
 */
export async function openRecord(
  folder: string,
  begin: 'new' | 'resumed',
  { lineOf, seen }: LineFormat,
): Promise<CrawlRecord> {
  await makePlace('--out', folder)
  const alreadyUsed = `${folder} already contains a crawl. Add --resume to continue it, or give --out another name.`
  if (begin === 'new' && (await exists(join(folder, noteFile)))) throw new UsageError(alreadyUsed)
  let written = 0
  let last: Parameters<CrawlRecord['note']>[0] | undefined
  const writer = await thisProcess()
  const writeNote = (more: Pick<CrawlNote, 'writer'>) =>
    writeWhole(join(folder, noteFile), `${JSON.stringify({ ...last, written, ...more }, null, 2)}\n`)
  const linesPath = join(folder, linesFile)
  const count = (line: string) => {
    written += 1
    check(line, written, seen)
  }
  // Only one of two concurrent starts creates the file.
  const lines = await openJsonLines(linesPath, count, begin === 'new' ? 'new' : 'any').catch((cause: unknown) => {
    throw cause instanceof Error && 'code' in cause && cause.code === 'EEXIST' ? new UsageError(alreadyUsed) : cause
  })
  return {
    written: () => written,
    write: async (document) => {
      await lines.append(await lineOf(document))
      written += 1
    },
    note: async (note) => {
      last = note
      await writeNote({ writer })
    },
    close: async () => {
      if (last) await writeNote({})
      await lines.close()
      // A crawl that failed to start leaves the folder free for the next.
      if (!last && begin === 'new') await rm(linesPath, { force: true })
    },
  }
}

function check(line: string, number: number, seen: LineFormat['seen']): void {
  try {
    seen(JSON.parse(line))
  } catch (cause) {
    throw new UsageError(`Line ${number} of ${linesFile} was not written by "gossamer crawl", or is damaged.`, {
      cause,
    })
  }
}
