import { counted } from '../../util/amounts.ts'
import { localTeam } from '../../app/app.ts'
import type { IndexHit, PageIndex } from '../../contracts/stored-pages.ts'
import { parseQuery } from '../../engine/search/query/parse-query.ts'
import { type Command, type CommandContext, answer } from '../command.ts'
import { harmless, type Style } from '../terminal-io.ts'
import { usageError, ageMsIn, limitIn } from '../usage/syntax.ts'

const usualLimit = 10
const most = 100

/** `gossamer index …`: lists, searches and deletes scraped pages, without network access. */
export const indexCommand: Command = async (context) => {
  const [verb, ...words] = context.words
  const { index } = await context.app.store()
  if (verb === undefined) return show(index, context)
  if (verb === 'search' && words.length > 0) return search(index, words.join(' '), context)
  if (verb === 'prune' && words.length === 0) return prune(index, context)
  throw usageError('index')
}

async function show(index: PageIndex, context: CommandContext): Promise<number> {
  const facts = await index.facts()
  const hosts = facts.hosts.map(({ host, pages }) => harmless(`${String(pages).padStart(8)}  ${host}`))
  return answer(context, facts, [`${facts.pages} pages, ${sizeText(facts.bytes)}`, ...hosts])
}

async function search(index: PageIndex, typed: string, context: CommandContext): Promise<number> {
  const hits = await index.search({
    query: parseQuery(typed),
    includeDomains: [],
    excludeDomains: [],
    period: undefined,
    teamId: context.flags.team ?? localTeam.id,
    limit: context.flags.limit === undefined ? usualLimit : limitIn(context.flags.limit, most),
  })
  if (hits.length === 0) context.terminal.err('No page in the local index matches.\n')
  return answer(
    context,
    hits,
    hits.map((hit) => hitText(hit, context.terminal.style.out)),
  )
}

function hitText({ title, url, description, fetchedAt }: IndexHit, style: Style): string {
  const day = new Date(fetchedAt).toISOString().slice(0, 10)
  return `${style('bold', harmless(title || url))}\n${harmless(`  ${url}  (${day})\n  ${description}\n`)}`
}

async function prune(index: PageIndex, context: CommandContext): Promise<number> {
  const { site, olderThan } = context.flags
  if (site === undefined && olderThan === undefined) throw usageError('index', 'prune')
  const pages = await index.prune({
    ...(site !== undefined && { host: site }),
    ...(olderThan !== undefined && { olderThanMs: ageMsIn('--older-than', olderThan) }),
  })
  context.terminal.err(`${counted(pages, 'page')} deleted from the index and the cache.\n`)
  return 0
}

const sizeText = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
