import type { StoredTeam } from '../../contracts/account.ts'
import { shownTeam } from '../../engine/account/shown-team.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { harmless } from '../terminal.ts'
import { storeOnDisk } from '../usage/store-on-disk.ts'
import { usageError } from '../usage/syntax.ts'
import { termsIn } from '../usage/team-terms.ts'

/** `gossamer teams …`: what the teams of a server may use, where that is not what the settings say. */
export const teamsCommand: Command = async (context) => {
  const [verb, id] = context.words
  const { teams } = await storeOnDisk(context, 'Teams')
  if (verb === 'list') return told(context, await teams.list())
  if (id === undefined) throw usageError('teams')
  if (verb === 'show') return told(context, [(await teams.find(id)) ?? unknown(id)])
  if (verb === 'remove') {
    await teams.remove(id)
    context.terminal.err(`Team "${id}" is removed, and its keys are revoked.\n`)
    return 0
  }
  if (verb !== 'add' && verb !== 'set') throw usageError('teams')
  const terms = termsIn(context.flags)
  const team = await (verb === 'add' ? teams.add(id, terms) : teams.change(id, terms))
  if (context.flags.secret === 'new')
    context.terminal.err(`The secret of its webhooks, not shown again: ${terms.webhookSecret}\n`)
  return told(context, [team])
}

const unknown = (id: string): never => {
  throw new UsageError(`There is no team "${id}". "gossamer teams list" shows all that have terms of their own.`)
}

function told({ flags, terminal, words }: CommandContext, teams: readonly StoredTeam[]): number {
  const shown = teams.map(shownTeam)
  const isList = words[0] === 'list'
  if (flags.json || !terminal.isInteractive) terminal.out(`${JSON.stringify(isList ? shown : shown[0])}\n`)
  else for (const { id, createdAt: _, ...terms } of shown) terminal.out(`${lineOf(id, terms, terminal)}\n`)
  return 0
}

function lineOf(id: string, terms: object, { style }: CommandContext['terminal']): string {
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
