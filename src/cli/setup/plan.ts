import type { Client } from './clients.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { entryIn, saysTheSame, withEntry } from './edit.ts'
import type { Entry } from './entry.ts'

/** What happens to a config and to its backup. */
export type Plan = {
  file: ConfigFile
  backup: ConfigFile
  /** What the config says afterwards; undefined: there is no file. */
  text: string | undefined
  /** The same of the backup. */
  kept: string | undefined
}

/** The file beside a config that says what the config was before. It is empty where there was none. */
const backupOf = (path: string) => `${path}.before-gossamer`

/** Reads the config at a path, and plans to put the entry into it. The first backup stays until it is used. */
export async function planSetup(client: Client, given: string, entry: Entry): Promise<Plan> {
  const { file, backup } = await read(given)
  const edited = { ...client, path: file.path }
  const isOurs = backup.text !== undefined && entryIn(file.text, edited) !== undefined
  const text = withEntry(file.text, entry, edited)
  return {
    file,
    backup,
    text: saysTheSame(text, file.text ?? '', edited) ? file.text : text,
    kept: isOurs ? backup.text : (file.text ?? ''),
  }
}

/** Plans to take the entry out again: back to the backup, or, where more was changed since, only of the entry. */
export async function planUndo(client: Client, given: string): Promise<Plan> {
  const { file, backup } = await read(given)
  const edited = { ...client, path: file.path }
  if (file.text === undefined) return { file, backup, text: undefined, kept: undefined }
  const before = backup.text === '' ? undefined : backup.text
  const text = withEntry(file.text, entryIn(before, { ...edited, path: backup.path }), edited)
  const isAllUndone = backup.text !== undefined && saysTheSame(text, backup.text, edited)
  return { file, backup, text: isAllUndone ? before : text, kept: undefined }
}

async function read(given: string): Promise<Pick<Plan, 'file' | 'backup'>> {
  const file = await readConfigFile(given)
  return { file, backup: await readConfigFile(backupOf(file.path)) }
}
