import type { Keys, ListedKey, StoredTeam, TeamTerms, TeamWebhookSecret } from '../../contracts/account-ports.ts'
import { ratesOf, shownTeam } from '../../engine/account/team-limits.ts'
import { answer, type Command, type CommandContext, isForPerson, UsageError } from '../command.ts'
import { harmless } from '../terminal-io.ts'
import { ageMsIn, storeOnDisk, usageError } from '../usage/syntax.ts'
import { randomBytes } from 'node:crypto'
import { permissions } from '../../schema/team.ts'
import { flagOf } from '../../app/read-config.ts'
import { isAllowEntry } from '../../engine/net/address-rule.ts'
import type { CommandFlags } from '../usage/command-flags.ts'
import type { Store } from '../../engine/store/store.ts'
import { didYouMean } from '../../util/words.ts'

type Read<T> = (text: string) => T

/** Reads the terms of a team from flags; the value `default` resets a term to the settings. */
function termsIn(flags: CommandFlags): TeamTerms {
  const { concurrency, browsers, rate, credits, allow, unsandboxed, disabled, privateHosts, domains, secret } = flags
  return {
    ...(concurrency !== undefined && {
      maxConcurrency: orDefault(concurrency, countOf('--concurrency', 1, ' or default')),
    }),
    ...(browsers !== undefined && { maxSessions: orDefault(browsers, orNone(countOf('--browsers', 0))) }),
    ...(rate !== undefined && { requestsPerMinute: orDefault(rate, orNone(rates)) }),
    ...(credits !== undefined && { monthlyCredits: orDefault(credits, orNone(countOf('--credits', 0))) }),
    ...(allow !== undefined && { permissions: orDefault(allow, (text) => (text === 'none' ? [] : granted(text))) }),
    ...(unsandboxed !== undefined && { unsandboxedCode: orDefault(unsandboxed, yesOrNo('--unsandboxed')) }),
    ...(disabled !== undefined && { disabled: orDefault(disabled, yesOrNo('--disabled')) }),
    ...(privateHosts !== undefined && {
      privateHosts: orDefault(privateHosts, (text) => (text === 'none' ? [] : hosts('privateHosts', listIn(text)))),
    }),
    ...(domains !== undefined && domainsIn(domains)),
    ...(secret !== undefined && { webhookSecret: orDefault(secret, orNone(webhookSecret)) }),
  }
}

const orDefault = <T>(text: string, read: Read<T>): T | undefined => (text === 'default' ? undefined : read(text))
const orNone =
  <T>(read: Read<T>): Read<T | null> =>
  (text) =>
    text === 'none' ? null : read(text)

const countOf =
  (flag: string, least: number, others = ', none or default'): Read<number> =>
  (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new UsageError(`${flag} takes a whole number from ${least} on${others}, but got: ${text}`)
  }

const yesOrNo =
  (flag: string): Read<boolean> =>
  (text) => {
    if (text === 'yes' || text === 'no') return text === 'yes'
    throw new UsageError(`${flag} takes yes, no or default, but got: ${text}`)
  }

const listIn = (text: string) => text.split(',').map((item) => item.trim())

function rates(text: string) {
  try {
    return ratesOf(listIn(text))
  } catch (error) {
    throw new UsageError(`--rate: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function granted(text: string) {
  return listIn(text).map((name) => {
    const known = permissions.find((permission) => permission === name)
    if (known) return known
    throw new UsageError(`--allow takes some of ${permissions.join(', ')}, none or default, but got: ${name}`)
  })
}

function hosts(flag: 'privateHosts' | 'domains', entries: string[]): string[] {
  const wrong = entries.find((entry) => !isAllowEntry(entry))
  if (wrong === undefined) return entries
  throw new UsageError(`${flagOf(flag)} takes names, addresses or CIDR ranges, none or default, but got: ${wrong}`)
}

/** Reads hosts such as `shop.example.com,deny:admin.shop.example.com,parts:cdn.example.com`. */
function domainsIn(text: string): Pick<TeamTerms, 'allowDomains' | 'denyDomains' | 'resourceDomains'> {
  const entries = text === 'none' || text === 'default' ? [] : listIn(text)
  const after = (prefix: string) => {
    const names = entries.flatMap((entry) => (entry.startsWith(prefix) ? entry.slice(prefix.length) : []))
    return names.length === 0 ? undefined : hosts('domains', names)
  }
  const allowed = entries.filter((entry) => !/^(?:deny|parts):/.test(entry))
  return {
    allowDomains: allowed.length === 0 ? undefined : hosts('domains', allowed),
    denyDomains: after('deny:'),
    resourceDomains: after('parts:'),
  }
}

const minSecret = 8

function webhookSecret(text: string): string {
  if (text === 'new') return randomBytes(24).toString('base64url')
  if (text.length >= minSecret) return text
  throw new UsageError(`--secret takes new, none, default, or at least ${minSecret} characters.`)
}

/** `gossamer teams …`: terms of teams that differ from the settings. */
export const teamsCommand: Command = async (context) => {
  const [verb, id] = context.words
  const { teams } = await storeOnDisk(context, 'Teams')
  if (verb === 'list') return printTeams(context, await teams.list())
  if (id === undefined) throw usageError('teams')
  if (verb === 'show') return printTeams(context, [(await teams.find(id)) ?? unknown(id)])
  if (verb === 'secret') return printSecret(context, id)
  if (verb === 'remove') {
    await teams.remove(id)
    context.terminal.err(
      `Team "${id}" is removed: its keys are revoked, its jobs cancelled and its monitors deleted.\n`,
    )
    return 0
  }
  if (verb !== 'add' && verb !== 'set') throw usageError('teams')
  const terms = termsIn(context.flags)
  const team = await (verb === 'add' ? teams.add(id, terms) : teams.change(id, terms))
  if (context.flags.secret === 'new')
    context.terminal.err(`The secret of its webhooks, not shown again: ${terms.webhookSecret}\n`)
  return printTeams(context, [team])
}

async function printSecret(context: CommandContext, id: string): Promise<number> {
  const { source, secret } = await context.app.webhookSecret(id)
  const shown = source === 'derived' ? { id, source, webhookSecret: secret } : { id, source }
  return answer(context, shown, [shown.webhookSecret ?? secretNotes[source]])
}

const secretNotes: Readonly<Record<TeamWebhookSecret['source'], string>> = {
  team: 'A secret of its own signs its webhooks; "teams set TEAM --secret new" replaces it.',
  derived: '',
  server: 'GOSSAMER_WEBHOOK_SECRET itself signs its webhooks: there is no other team.',
  none: 'Its webhooks are not signed: it has no secret of its own, and GOSSAMER_WEBHOOK_SECRET is not set here.',
}

const unknown = (id: string): never => {
  throw new UsageError(`There is no team "${id}". "gossamer teams list" shows all that have terms of their own.`)
}

function printTeams(context: CommandContext, teams: readonly StoredTeam[]): number {
  const shown = teams.map(shownTeam)
  const lines = shown.map((team) => lineOf(team, context.terminal))
  return answer(context, context.words[0] === 'list' ? shown : shown[0], lines)
}

function lineOf(team: ReturnType<typeof shownTeam>, { style }: CommandContext['terminal']): string {
  const { id, createdAt: _, ...terms } = team
  const texts = Object.entries(terms).map(([name, value]) => `${name} ${valueText(value)}`)
  return [style.out('bold', harmless(id)), ...(texts.length === 0 ? ['as in the settings'] : texts)].join('\t')
}

function valueText(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.join(',') || 'none'
  if (typeof value !== 'object') return String(value)
  return Object.entries(value as object)
    .map(([name, each]) => `${name}=${String(each)}`)
    .join(',')
}

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

/**
 * Creates a team with the limits of a new key: credits and domains apply to teams, so such a key needs its own team.
 */
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
  const line = (row: ListedKey) => [terminal.style.out('bold', row.name), ...factsOf(row)].join('\t')
  return answer(context, rows, rows.map(line))
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

/** Formats a time in UTC, to the minute. */
const dateText = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

async function revoke({ terminal }: CommandContext, keys: Keys, name: string): Promise<number> {
  const { stoppedTeam } = await keys.revoke(name)
  terminal.err(`Key "${name}" is revoked.\n`)
  if (stoppedTeam !== undefined)
    terminal.err(`It was the last key of team "${stoppedTeam}": its jobs are cancelled and its monitors paused.\n`)
  return 0
}
