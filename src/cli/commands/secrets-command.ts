import { text } from 'node:stream/consumers'
import { localTeam } from '../../app/app.ts'
import { openSecrets } from '../../app/wiring/machine-port.ts'
import { type Command, UsageError, answer } from '../command.ts'
import { usageError } from '../usage/syntax.ts'

/** `gossamer secrets …`: secrets that sessions of a team type by name. Nothing shows their values. */
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
