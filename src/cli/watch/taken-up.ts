import type { CommandFlags } from '../usage/flags.ts'
import { UsageError } from '../command.ts'
import { usageText } from '../usage/syntax.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of the crawl that is to be watched again; undefined where another one begins. Fails with UsageError. */
export function watchedId([word, ...more]: readonly string[], flags: CommandFlags): string | undefined {
  if (flags.watch !== true || word === undefined || !uuid.test(word)) return undefined
  const { limit, formats, out, warc } = flags
  if (more.length > 0 || [limit, formats, out, warc].some((given) => given !== undefined))
    throw new UsageError(
      `A crawl that has begun keeps its options: gossamer crawl ${word} --watch takes no others, and writes no files.\n${usageText('crawl')}`,
    )
  return word.toLowerCase()
}
