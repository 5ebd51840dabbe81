import { resolve } from 'node:path'
import { UsageError } from '../command.ts'
import type { CommandFlags } from '../usage/command-flags.ts'
import { usageError, usageText, limitIn, objectIn } from '../usage/syntax.ts'
import { type CrawlNote, readNote } from './crawl-record.ts'
import { refuseExisting, stageOf, type Target, targetOf } from './export-table.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the id of the running crawl to attach to; undefined if the command starts or resumes one. Fails with
 * UsageError.
 */
function watchedId([word, ...more]: readonly string[], flags: CommandFlags): string | undefined {
  if (flags.watch !== true || word === undefined || !uuid.test(word)) return undefined
  const { limit, formats, out, warc } = flags
  if (more.length > 0 || [limit, formats, out, warc].some((given) => given !== undefined))
    throw new UsageError(
      `A crawl that has started keeps its options: gossamer crawl ${word} --watch takes no others, and writes no files.\n${usageText('crawl')}`,
    )
  return word.toLowerCase()
}

/** Input and outputs of the command. */
export type CrawlPlan = {
  /**
   * The input of the operation crawl, or the crawl to resume or watch; a watched crawl has its id as `url` until its
   * URL is known.
   */
  start: { input: Record<string, unknown>; url: string } | { resumed: Pick<CrawlNote, 'id' | 'url'> }
  out: Target | undefined
  warc: { file: string; wholeUpTo: number | undefined } | undefined
}

/** Creates the plan of a command line. Fails with UsageError. */
export async function planOf(words: readonly string[], flags: CommandFlags): Promise<CrawlPlan> {
  const out = flags.out === undefined ? undefined : await freeTarget(flags.out)
  const watched = watchedId(words, flags)
  if (watched !== undefined) return { start: { resumed: { id: watched, url: watched } }, out, warc: undefined }
  const warcFile = flags.warc === undefined ? undefined : resolve(flags.warc)
  if (flags.resume !== true) {
    const start = newCrawl(words, flags)
    return { start, out, warc: warcFile === undefined ? undefined : { file: warcFile, wholeUpTo: undefined } }
  }
  if (!out) throw new UsageError(`--resume needs --out PATH, the folder or file of the crawl.\n${usageText('crawl')}`)
  const note = await readNote(out.kind === 'folder' ? out.path : stageOf(out.path))
  refuseOthers(words, flags, { note, out })
  const file = warcFile ?? note.warc?.file
  const wholeUpTo = file === note.warc?.file ? note.warc?.bytes : undefined
  return { start: { resumed: note }, out, warc: file === undefined ? undefined : { file, wholeUpTo } }
}

async function freeTarget(text: string): Promise<Target> {
  const target = targetOf(text)
  if (target.kind !== 'folder') await refuseExisting(target.path)
  return target
}

/** Fails if another URL or options are given for a resumed crawl, which keeps its own. */
function refuseOthers(
  [url, options]: readonly string[],
  { limit, formats }: CommandFlags,
  { note, out }: { note: CrawlNote; out: Target },
): void {
  if (url !== undefined && url !== note.url)
    throw new UsageError(`${out.path} contains a crawl of ${note.url}. Give --out another name for ${url}.`)
  if ([options, limit, formats].some((given) => given !== undefined))
    throw new UsageError('A resumed crawl keeps its original options. Leave out options, --limit and --formats.')
}

/** Returns the input for a new crawl. */
function newCrawl([url, options, ...more]: readonly string[], { limit, formats, warc }: CommandFlags) {
  if (url === undefined || more.length > 0) throw usageError('crawl')
  const given = objectIn(options ?? '{}', { maxDiscoveryDepth: 2 })
  const scrape = given['scrapeOptions']
  const scrapeOptions = {
    ...(typeof scrape === 'object' && scrape),
    ...(formats !== undefined && { formats: formats.split(',').map((format) => format.trim()) }),
    // A page from the cache has no exchange with the site.
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
