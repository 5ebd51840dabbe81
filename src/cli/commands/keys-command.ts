import type { Keys, ListedKey, TeamTerms } from '../../contracts/account-ports.ts'
import type { Store } from '../../engine/store/store.ts'
import { didYouMean } from '../../util/words.ts'
import { type Command, type CommandContext, UsageError, answer, isForPerson } from '../command.ts'
import { storeOnDisk, usageError, ageMsIn } from '../usage/syntax.ts'
import { termsIn } from './teams-command.ts'

/** `gossamer keys …`: API keys of a server. A key is shown once; only its digest is stored. */
export const keysCommand: Command = async (context) => {
  const [verb, name] = context.words
  const { keys, teams } = await storeOnDisk(context, 'Keys')
  if (verb === 'list') return list(context, await keys.list())
  if (name === undefined || (verb !== 'add' && verb !== 'revoke')) throw usageError('keys')
  return verb === 'add' ? add(context, { keys, teams }, name) : revoke(context, keys, name)
}

type Accounts = Pick<Store, 'keys' | 'teams'>

async function add(
  { terminal, flags, config, app }: CommandContext,
  { keys, teams }: Accounts,
  name: string,
): Promise<number> {
  const teamId = flags.team ?? name
  const expiresAt = flags.expires === undefined ? undefined : Date.now() + ageMsIn('--expires', flags.expires)
  const operations = flags.operations?.split(',').map((each) => knownOperation(each.trim(), app))
  const limits = { readOnly: config.readOnly, operations }
  await limitTeam(teamId, termsIn(flags), { keys, teams })
  const { key } = await keys.add({ name, teamId, permissions: config.permissions, limits, expiresAt })
  const expires = expiresAt === undefined ? '' : ` It expires on ${dateText(expiresAt)}.`
  terminal.out(flags.json ? `${JSON.stringify({ name, teamId, key, ...(expires && { expiresAt }) })}\n` : `${key}\n`)
  terminal.err(
    `Key "${name}" for team "${teamId}".${expires} It is not shown again. Send it as "Authorization: Bearer …".\n`,
  )
  return 0
}

/** Credits and domains are counted and checked for a team, so a key limited to them needs a team of its own. */
async function limitTeam(teamId: string, terms: TeamTerms, { keys, teams }: Accounts): Promise<void> {
  if (Object.keys(terms).length === 0) return
  if ((await keys.list()).some((key) => key.teamId === teamId))
    throw new UsageError(
      `Team "${teamId}" has keys already, which would be limited too. Leave out --team, so that the key gets a team of its own, or limit the team with "gossamer teams set".`,
    )
  await teams.add(teamId, terms)
}

function knownOperation(name: string, { operations }: CommandContext['app']): string {
  if (operations.some((operation) => operation.name === name)) return name
  const names = operations.map((operation) => operation.name)
  throw new UsageError(`--operations: there is no operation "${name}".${didYouMean(name, names)}`)
}

function list(context: CommandContext, rows: readonly ListedKey[]): number {
  const { terminal } = context
  if (rows.length === 0 && isForPerson(context))
    terminal.err('There are no API keys. Create one with: gossamer keys add NAME\n')
  const lineOf = (row: ListedKey) => [terminal.style.out('bold', row.name), ...factsOf(row)].join('\t')
  return answer(context, rows, rows.map(lineOf))
}

function factsOf({ teamId, prefix, expiresAt, lastUsedAt, limits = {} }: ListedKey): string[] {
  const used = lastUsedAt === null ? 'never used' : `last used ${dateText(lastUsedAt)}`
  const end = expiresAt !== null && expiresAt <= Date.now() ? 'expired' : 'expires'
  const allowed = [
    ...(limits.readOnly ? ['read-only'] : []),
    ...(limits.operations ? [limits.operations.join(',')] : []),
  ]
  return [
    `team ${teamId}`,
    `${prefix}…`,
    used,
    ...allowed,
    ...(expiresAt === null ? [] : [`${end} ${dateText(expiresAt)}`]),
  ]
}

/** UTC, to the minute, as it is stored. */
const dateText = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

async function revoke({ terminal }: CommandContext, keys: Keys, name: string): Promise<number> {
  const { stoppedTeam } = await keys.revoke(name)
  terminal.err(`Key "${name}" is revoked.\n`)
  if (stoppedTeam !== undefined)
    terminal.err(`It was the last key of team "${stoppedTeam}": its jobs are cancelled and its monitors paused.\n`)
  return 0
}
