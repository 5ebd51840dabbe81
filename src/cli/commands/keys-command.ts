import type { Keys, ListedKey } from '../../contracts/account-ports.ts'
import type { Command, CommandContext } from '../command.ts'
import { storeOnDisk, usageError, ageMsIn } from '../usage/syntax.ts'

/** `gossamer keys …`: API keys of a server. A key is shown once; only its digest is stored. */
export const keysCommand: Command = async (context) => {
  const [verb, name] = context.words
  const { keys } = await storeOnDisk(context, 'Keys')
  if (verb === 'list') return list(context, await keys.list())
  if (name === undefined || (verb !== 'add' && verb !== 'revoke')) throw usageError('keys')
  return verb === 'add' ? add(context, keys, name) : revoke(context, keys, name)
}

async function add({ terminal, flags, config }: CommandContext, keys: Keys, name: string): Promise<number> {
  const teamId = flags.team ?? name
  const expiresAt = flags.expires === undefined ? undefined : Date.now() + ageMsIn('--expires', flags.expires)
  const { key } = await keys.add({ name, teamId, permissions: config.permissions, expiresAt })
  const expires = expiresAt === undefined ? '' : ` It expires on ${dateText(expiresAt)}.`
  terminal.out(flags.json ? `${JSON.stringify({ name, teamId, key, ...(expires && { expiresAt }) })}\n` : `${key}\n`)
  terminal.err(
    `Key "${name}" for team "${teamId}".${expires} It is not shown again. Send it as "Authorization: Bearer …".\n`,
  )
  return 0
}

function list({ terminal, flags }: CommandContext, rows: readonly ListedKey[]): number {
  if (flags.json || !terminal.isInteractive) terminal.out(`${JSON.stringify(rows)}\n`)
  else for (const row of rows) terminal.out(`${[terminal.style.out('bold', row.name), ...factsOf(row)].join('\t')}\n`)
  return 0
}

function factsOf({ teamId, prefix, expiresAt, lastUsedAt }: ListedKey): string[] {
  const used = lastUsedAt === null ? 'never used' : `last used ${dateText(lastUsedAt)}`
  const end = expiresAt !== null && expiresAt <= Date.now() ? 'expired' : 'expires'
  return [`team ${teamId}`, `${prefix}…`, used, ...(expiresAt === null ? [] : [`${end} ${dateText(expiresAt)}`])]
}

/** UTC, to the minute, as it is stored. */
const dateText = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

async function revoke({ terminal }: CommandContext, keys: Keys, name: string): Promise<number> {
  await keys.revoke(name)
  terminal.err(`Key "${name}" is revoked.\n`)
  return 0
}
