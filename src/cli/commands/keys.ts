import { type Command, type CommandContext, UsageError } from '../command.ts'
import { usageError } from '../usage/syntax.ts'

/** `gossamer keys …`: the API keys of a server. A key is shown once; only its digest is kept. */
export const keysCommand: Command = async (context) => {
  const [verb, name] = context.words
  const store = await context.app.store()
  await store.ready()
  if (store.describe().kind === 'memory')
    throw new UsageError('Keys need a data folder, but none is usable. "gossamer doctor" says why.')
  if (verb === 'list') return list(context)
  if (name === undefined || (verb !== 'add' && verb !== 'revoke')) throw usageError('keys')
  return verb === 'add' ? add(context, name) : revoke(context, name)
}

async function add({ app, terminal, flags, config }: CommandContext, name: string): Promise<number> {
  const teamId = flags.team ?? name
  const { keys } = await app.store()
  const { key } = await keys.add({ name, teamId, permissions: config.permissions })
  terminal.out(flags.json ? `${JSON.stringify({ name, teamId, key })}\n` : `${key}\n`)
  terminal.err(`Key "${name}" for team "${teamId}". It is not shown again. Send it as "Authorization: Bearer …".\n`)
  return 0
}

async function list({ app, terminal, flags }: CommandContext): Promise<number> {
  const { keys } = await app.store()
  const rows = await keys.list()
  if (flags.json || !terminal.isInteractive) terminal.out(`${JSON.stringify(rows)}\n`)
  else
    for (const row of rows)
      terminal.out(`${terminal.style.out('bold', row.name)}\tteam ${row.teamId}\t${row.prefix}…\n`)
  return 0
}

async function revoke({ app, terminal }: CommandContext, name: string): Promise<number> {
  await (await app.store()).keys.revoke(name)
  terminal.err(`Key "${name}" is revoked.\n`)
  return 0
}
