import { objectsPort } from '../../app/wiring/store-wiring.ts'
import { noTelemetry } from '../../app/telemetry/telemetry.ts'
import { copyDatabase, openCopyPlace } from '../../engine/store/copy/copy.ts'
import { answer, type Command, type CommandContext, UsageError } from '../command.ts'
import { ageMsIn, limitIn, usageError } from '../usage/syntax.ts'
import { counted } from '../../util/amounts.ts'
import { localTeam } from '../../app/app.ts'
import type { IndexHit, PageIndex } from '../../contracts/stored-pages.ts'
import { parseQuery } from '../../engine/search/query/parse-query.ts'
import { harmless, type Style } from '../terminal-io.ts'
import { text } from 'node:stream/consumers'
import { openSecrets } from '../../app/wiring/open-browser.ts'

/** `gossamer db copy FROM TO`: copies the data between a data folder and a PostgreSQL database. */
export const dbCommand: Command = async ({ words, terminal, config }) => {
  const [verb, source, target, ...more] = words
  if (verb !== 'copy' || source === undefined || target === undefined || more.length > 0) throw usageError('db')
  const from = await openCopyPlace(source, 'source')
  const objects = objectsPort({ ...config, dataDir: source }, noTelemetry)
  try {
    const to = await openCopyPlace(target, 'target')
    try {
      await copyDatabase(from, to, {
        clock: { now: Date.now },
        objects,
        onCopied: ({ table, rows }) => void (rows > 0 && terminal.err(`${table}: ${rows}\n`)),
      })
    } finally {
      await to.close()
    }
  } finally {
    await objects?.close()
    await from.close()
  }
  terminal.err('All data is copied. The source is unchanged.\n')
  return 0
}

const defaultLimit = 10
const maxLimit = 100

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
    limit: context.flags.limit === undefined ? defaultLimit : limitIn(context.flags.limit, maxLimit),
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

/** `gossamer secrets …`: secrets that sessions of a team type by name. No command shows their values. */
export const secretsCommand: Command = async (context) => {
  const { words, flags, config, terminal } = context
  const [verb, name] = words
  if (config.dataDir === 'memory') throw new UsageError('Secrets need a data folder, but dataDir is set to memory.')
  const { team = localTeam.id } = flags
  const secrets = await openSecrets(config, { now: Date.now })
  if (verb === 'list') {
    const rows = await secrets.list(team)
    return answer(
      context,
      rows,
      rows.map((row) => `${row.name}\t${row.origin}`),
    )
  }
  if (name === undefined) throw usageError('secrets')
  if (verb === 'remove') {
    await secrets.remove(team, name)
    terminal.err(`The secret "${name}" is removed.\n`)
    return 0
  }
  if (verb !== 'add' || flags.origin === undefined) throw usageError('secrets')
  if (process.stdin.isTTY) terminal.err('Enter the secret, and end it with Enter and Ctrl-D.\n')
  await secrets.add(team, name, { value: (await text(process.stdin)).replace(/\r?\n$/, ''), origin: flags.origin })
  terminal.err(`Sessions can type it as {{secret:${name}}}.\n`)
  return 0
}
