import { resolve } from 'node:path'
import { UsageError } from '../command.ts'
import type { CommandFlags } from '../usage/flags.ts'
import { usageError, usageText } from '../usage/syntax.ts'
import { limitIn, objectIn } from '../usage/values.ts'
import { type CrawlNote, readNote } from './folder.ts'

/** What the command line asks for. */
export type CrawlPlan = {
  /** The input of the operation crawl, or the crawl to go on with. */
  start: { input: Record<string, unknown>; url: string } | { resumed: CrawlNote }
  folder: string | undefined
  warc: { file: string; wholeUpTo: number | undefined } | undefined
}

/** Fails with UsageError. */
export async function planOf(words: readonly string[], flags: CommandFlags): Promise<CrawlPlan> {
  const folder = flags.out === undefined ? undefined : resolve(flags.out)
  const warcFile = flags.warc === undefined ? undefined : resolve(flags.warc)
  if (flags.resume !== true) {
    const start = beginning(words, flags)
    return { start, folder, warc: warcFile === undefined ? undefined : { file: warcFile, wholeUpTo: undefined } }
  }
  if (folder === undefined)
    throw new UsageError(`--resume needs --out DIR, the folder of the crawl.\n${usageText('crawl')}`)
  const note = await readNote(folder)
  refuseOthers(words, flags, note)
  const file = warcFile ?? note.warc?.file
  const wholeUpTo = file === note.warc?.file ? note.warc?.bytes : undefined
  return { start: { resumed: note }, folder, warc: file === undefined ? undefined : { file, wholeUpTo } }
}

/** A crawl that has begun goes on as it began. */
function refuseOthers([url, options]: readonly string[], { limit }: CommandFlags, note: CrawlNote): void {
  if (url !== undefined && url !== note.url)
    throw new UsageError(`This folder holds a crawl of ${note.url}. Name another folder for ${url}.`)
  if (options !== undefined || limit !== undefined)
    throw new UsageError('A resumed crawl keeps its original options. Leave out options and --limit.')
}

function beginning([url, options, ...more]: readonly string[], { limit, formats, warc }: CommandFlags) {
  if (url === undefined || more.length > 0) throw usageError('crawl')
  const given = objectIn(options ?? '{}', { maxDiscoveryDepth: 2 })
  const scrape = given['scrapeOptions']
  const scrapeOptions = {
    ...(typeof scrape === 'object' && scrape),
    ...(formats !== undefined && { formats: formats.split(',').map((format) => format.trim()) }),
    // What comes from the cache is no exchange with the site.
    ...(warc !== undefined && { maxAge: 0 }),
  }
  const input = {
    ...given,
    url,
    ...(limit !== undefined && { limit: limitIn(limit) }),
    ...(Object.keys(scrapeOptions).length > 0 && { scrapeOptions }),
  }
  return { input, url }
}
