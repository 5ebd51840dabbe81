import { realpathSync } from 'node:fs'
import { envNameOf, flagOf, settingKeys } from '../../../app/read-config.ts'
import { type Command, type CommandContext, UsageError, answer } from '../../command.ts'
import { type ClientName, clientOf, clients } from '../../setup/clients.ts'
import { entryOf, launchOf } from '../../setup/edit.ts'
import {
  type Plan,
  planSetup,
  planUndo,
  replaceConfigFile,
  setupRows,
  shownDiff,
  thisMachine,
} from '../../setup/setup-plan.ts'
import { harmless, plain, type Style } from '../../terminal-io.ts'
import { usageError } from '../../usage/syntax.ts'

const isClient = (name: string): name is ClientName => Object.hasOwn(clients, name)

/** `gossamer setup …`: adds the server to the config of a client, or removes it. */
export const setupCommand: Command = async (context) => {
  const [name] = context.words
  if (name === undefined) return list(context)
  if (!isClient(name)) throw usageError('setup')
  const path = clientOf(name).file(thisMachine())
  const { flags } = context
  const plan = await (flags.undo
    ? planUndo(clientOf(name), path)
    : planSetup(clientOf(name), path, entry(name, context)))
  return carryOut(name, plan, context)
}

function entry(name: ClientName, { settings }: CommandContext) {
  const { platform, execPath, argv } = process
  const given = settingKeys.flatMap((key) => {
    const text = settings[flagOf(key).slice(2)]
    return text === undefined ? [] : [[envNameOf(key), text] as const]
  })
  const launch = launchOf({ platform, execPath, script: realpathSync(argv[1] ?? '') })
  return entryOf(name, { ...launch, env: Object.fromEntries(given) })
}

async function carryOut(name: ClientName, plan: Plan, context: CommandContext): Promise<number> {
  const { flags, terminal } = context
  const { file, text } = plan
  const says = (done: string, note: string) => printResult(context, { client: name, file: file.path, done }, note)
  if (text === file.text) return says('nothing', nothingToDo(name, plan, flags))
  terminal.err(shown(plan, terminal.isInteractive ? terminal.style.err : plain))
  if (!(await isWanted(context)))
    throw new UsageError('Nothing was changed. Pass --yes to apply the change without confirmation.')
  await write(plan)
  return flags.undo
    ? says('removed', `${clientOf(name).title} no longer starts Gossamer.`)
    : says('written', writtenNote(name, plan))
}

function nothingToDo(name: ClientName, { file }: Plan, { undo }: CommandContext['flags']): string {
  const { title } = clientOf(name)
  return `${title} ${undo ? 'has no entry for Gossamer' : 'already has this entry for Gossamer'}: ${file.path}`
}

function writtenNote(name: ClientName, { kept, backup }: Plan): string {
  const { title, next } = clientOf(name)
  const where = kept ? ` The original file is kept as ${backup.path}.` : ''
  return `${title} starts Gossamer from now on. ${next}${where}\nTo undo: gossamer setup ${name} --undo`
}

function shown({ file, text }: Plan, style: Style): string {
  const note = file.text === undefined ? ' (new)' : ''
  return `${harmless(file.path)}${text === undefined ? ' (removed)' : note}\n${shownDiff(file.text ?? '', text ?? '', style)}`
}

async function isWanted({ flags, terminal }: CommandContext): Promise<boolean> {
  if (flags.yes !== undefined) return flags.yes
  return (await terminal.ask?.(flags.undo ? 'Remove this entry?' : 'Apply this change?')) ?? false
}

/** The backup is written before the change, and stays until undo. */
async function write({ file, text, backup, kept }: Plan): Promise<void> {
  if (kept !== undefined && kept !== backup.text) await replaceConfigFile(backup, kept)
  await replaceConfigFile(file, text)
  if (kept === undefined) await replaceConfigFile(backup, undefined)
}

async function list(context: CommandContext): Promise<number> {
  const rows = await setupRows()
  const bold = (text: string) => context.terminal.style.out('bold', text)
  return answer(
    context,
    rows,
    rows.map(({ client, file, state }) => `${bold(client.padEnd(16))}${state.padEnd(12)}${harmless(file)}`),
  )
}

function printResult(context: CommandContext, facts: object, note: string): number {
  context.terminal.err(`${harmless(note)}\n`)
  return answer(context, facts, [])
}
