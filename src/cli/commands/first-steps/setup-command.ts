import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { structuredPatch } from 'diff'
import { envNameOf, flagOf, settingKeys } from '../../../app/read-config.ts'
import { type Command, type CommandContext, UsageError, answer } from '../../command.ts'
import { type Client, type ClientName, clientNames, clientOf, clients, type Machine } from '../../setup/clients.ts'
import { entryIn, type Entry, entryOf, isEquivalent, launchOf, withEntry } from '../../setup/edit.ts'
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
    : planSetup(clientOf(name), path, newEntry(name, context)))
  return carryOut(name, plan, context)
}

function newEntry(name: ClientName, { settings }: CommandContext) {
  const { platform, execPath, argv } = process
  const env = settingKeys.flatMap((key) => {
    const text = settings[flagOf(key).slice(2)]
    return text === undefined ? [] : [[envNameOf(key), text] as const]
  })
  const launch = launchOf({ platform, execPath, script: realpathSync(argv[1] ?? '') })
  return entryOf(name, { ...launch, env: Object.fromEntries(env) })
}

async function carryOut(name: ClientName, plan: Plan, context: CommandContext): Promise<number> {
  const { flags, terminal } = context
  const { file, text } = plan
  const report = (done: string, note: string) => printResult(context, { client: name, file: file.path, done }, note)
  if (text === file.text) return report('nothing', nothingToDo(name, plan, flags))
  terminal.err(shown(plan, terminal.isInteractive ? terminal.style.err : plain))
  if (!(await isWanted(context)))
    throw new UsageError('Nothing was changed. Pass --yes to apply the change without confirmation.')
  await write(plan)
  return flags.undo
    ? report('removed', `${clientOf(name).title} no longer starts Gossamer.`)
    : report('written', writtenNote(name, plan))
}

function nothingToDo(name: ClientName, { file }: Plan, { undo }: CommandContext['flags']): string {
  const { title } = clientOf(name)
  return `${title} ${undo ? 'has no entry for Gossamer' : 'already has this entry for Gossamer'}: ${file.path}`
}

function writtenNote(name: ClientName, { backupText, backup }: Plan): string {
  const { title, next } = clientOf(name)
  const where = backupText ? ` The original file is kept as ${backup.path}.` : ''
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

/** Writes the backup, then the change; undo removes the backup. */
async function write({ file, text, backup, backupText }: Plan): Promise<void> {
  if (backupText !== undefined && backupText !== backup.text) await replaceConfigFile(backup, backupText)
  await replaceConfigFile(file, text)
  if (backupText === undefined) await replaceConfigFile(backup, undefined)
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

/** Number of lines around a change: few, because other entries may contain keys. */
const context = 2

/** Formats the change as a diff. */
function shownDiff(before: string, after: string, style: Style): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context })
  const lines = hunks.flatMap((hunk) => [
    style('cyan', `@@ line ${Math.max(hunk.newStart, 1)} @@`),
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map((line) => coloured(line.trimEnd(), style)),
  ])
  return lines.map((line) => `${line}\n`).join('')
}

function coloured(line: string, style: Style): string {
  const text = harmless(line)
  if (text.startsWith('+')) return style('green', text)
  return text.startsWith('-') ? style('red', text) : text
}

/** Returns the facts about this machine that determine where client configs are. */
const thisMachine = (): Machine => ({
  platform: process.platform,
  home: homedir(),
  // oxlint-disable-next-line node/no-process-env -- the folders of other programs' settings are not our own settings
  env: process.env,
})

type SetupRow = {
  client: ClientName
  title: string
  file: string
  state: 'set up' | 'not set up' | 'no file' | 'broken'
}

/** Returns every client with the state of its config. */
export async function setupRows(): Promise<SetupRow[]> {
  const rows: SetupRow[] = []
  for (const client of clientNames) rows.push(await rowOf(client))
  return rows
}

/** A config file as read. */
type ConfigFile = {
  /** The real path, if the given path is a symbolic link. */
  path: string
  /** Undefined if there is no file. */
  text: string | undefined
}

/** Only the owner may read a new file: entries of servers often contain keys. */
const privateMode = 0o600

/** Reads the file at a path, following links. Throws UsageError if it is not a text file. */
async function readConfigFile(link: string): Promise<ConfigFile> {
  const path = await behindLinks(link)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read: ${error.code}. Nothing was changed.`, { cause: error })
  })
  if (bytes === undefined) return { path, text: undefined }
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (cause) {
    throw new UsageError(`${path} is not UTF-8 text. Save it as UTF-8, then try again. Nothing was changed.`, { cause })
  }
}

/** Replaces the text atomically, or deletes the file; keeps owner and permissions. */
export async function replaceConfigFile({ path, text: before }: ConfigFile, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) {
      await refuseIfChanged(path, before)
      return await rm(path, { force: true })
    }
    await mkdir(dirname(path), { recursive: true })
    const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
    try {
      await writeLike(path, temporary, text)
      await refuseIfChanged(path, before)
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be written: ${code}. Nothing was changed.`, { cause: error })
  }
}

async function writeLike(path: string, temporary: string, text: string): Promise<void> {
  const old = await stat(path).catch(() => undefined)
  const file = await open(temporary, 'wx', privateMode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  if (!old) return
  await chmod(temporary, old.mode & 0o777)
  // Under sudo the file keeps its owner.
  if (process.getuid?.() === 0) await chown(temporary, old.uid, old.gid)
}

/** Fails if another program, such as the client, has changed the file. */
async function refuseIfChanged(path: string, before: string | undefined): Promise<void> {
  if ((await readConfigFile(path)).text !== before)
    throw new UsageError(`${path} was changed by another program just now. Nothing was changed; try again.`)
}

async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const link = await lstat(path).catch(() => undefined)
    // A link to a file that does not exist yet.
    return link?.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : path
  }
}

async function rowOf(name: ClientName): Promise<SetupRow> {
  const client = clientOf(name)
  const file = client.file(thisMachine())
  const row = (state: SetupRow['state']): SetupRow => ({ client: name, title: client.title, file, state })
  try {
    const { path, text } = await readConfigFile(file)
    if (text === undefined) return row('no file')
    return row(entryIn(text, { ...client, path }) ? 'set up' : 'not set up')
  } catch (error) {
    if (error instanceof UsageError) return row('broken')
    throw error
  }
}

/** Changes to a config and its backup. */
type Plan = {
  file: ConfigFile
  backup: ConfigFile
  /** New text of the config; undefined: no file. */
  text: string | undefined
  /** New text of the backup; undefined: no file. */
  backupText: string | undefined
}

/** Path of the file with the original text of a config. The file is empty if there was no config. */
const backupOf = (path: string) => `${path}.before-gossamer`

/** Reads the config at a path, and plans to add the entry. An existing backup is kept until it is restored. */
export async function planSetup(client: Client, path: string, entry: Entry): Promise<Plan> {
  const { file, backup } = await read(path)
  const edited = { ...client, path: file.path }
  const isOurs = backup.text !== undefined && entryIn(file.text, edited) !== undefined
  const text = withEntry(file.text, entry, edited)
  return {
    file,
    backup,
    text: isEquivalent(text, file.text ?? '', edited) ? file.text : text,
    backupText: isOurs ? backup.text : (file.text ?? ''),
  }
}

/** Plans to remove the entry: restores the backup, or, if other parts have changed since, removes only the entry. */
async function planUndo(client: Client, path: string): Promise<Plan> {
  const { file, backup } = await read(path)
  const edited = { ...client, path: file.path }
  if (file.text === undefined) return { file, backup, text: undefined, backupText: undefined }
  const before = backup.text === '' ? undefined : backup.text
  const text = withEntry(file.text, entryIn(before, { ...edited, path: backup.path }), edited)
  const isAllUndone = backup.text !== undefined && isEquivalent(text, backup.text, edited)
  return { file, backup, text: isAllUndone ? before : text, backupText: undefined }
}

async function read(path: string): Promise<Pick<Plan, 'file' | 'backup'>> {
  const file = await readConfigFile(path)
  return { file, backup: await readConfigFile(backupOf(file.path)) }
}
