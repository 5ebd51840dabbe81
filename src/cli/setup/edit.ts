import { isRecord } from '../../util/json.ts'
import { UsageError } from '../command.ts'
import { type Client, clientOf, type ClientName } from './clients.ts'
import { ConfigFault, type ConfigText, isSame, jsonText, tomlText } from './format/config-formats.ts'

/** Name of the server in client configs. */
export const serverName = 'gossamer'

/** Command with which a client starts the program. */
type Launch = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }
export type Entry = Readonly<Record<string, unknown>>

/** The server's entry in the config of a client. */
export function entryOf(name: ClientName, { command, args, env = {} }: Launch): Entry {
  const { extras }: Client = clientOf(name)
  const hasEnv = Object.keys(env).length > 0
  return { ...extras?.before, command, args: [...args], ...(hasEnv && { env: { ...env } }), ...extras?.after }
}

type Running = {
  platform: NodeJS.Platform
  /** The running Node executable. */
  execPath: string
  /** Absolute path of the running program. */
  script: string
}

/**
 * Command that starts the running program again. GUI programs have neither the PATH of a shell nor the Node of a
 * version manager, so both paths are absolute. A program run by `npx` is in a cache that is cleared occasionally, so
 * `npx` itself is used.
 */
export function launchOf({ platform, execPath, script }: Running): Pick<Launch, 'command' | 'args'> {
  if (!/[\\/]_npx[\\/]/.test(script)) return { command: execPath, args: [script] }
  const args = ['-y', 'gossamer-mcp']
  // Windows cannot start a batch file such as npx directly.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args }
}

const formats: Record<Client['format'], ConfigText> = {
  json: jsonText('no comments'),
  jsonc: jsonText('comments'),
  toml: tomlText,
}
const emptyText: Record<Client['format'], string> = { json: '{}\n', jsonc: '{}\n', toml: '' }
const byteOrderMark = '\uFEFF'

/** A config to edit: its client, and its path for messages. */
type Edited = Pick<Client, 'format' | 'key'> & { path: string }

/** The server's entry in a config; undefined if there is none. Throws UsageError for invalid text. */
export function entryIn(text: string | undefined, edited: Edited): Entry | undefined {
  const section = sectionIn(text, edited)
  const entry = section?.[serverName]
  return isRecord(entry) ? entry : undefined
}

/**
 * The config text with this entry, or without any; everything else is unchanged. Throws UsageError for invalid text.
 */
export function withEntry(text: string | undefined, entry: Entry | undefined, edited: Edited): string {
  const mark = text?.startsWith(byteOrderMark) ? byteOrderMark : ''
  const isEmpty = text === undefined || text.slice(mark.length).trim() === ''
  const before = isEmpty ? emptyText[edited.format] : text.slice(mark.length)
  const others = sectionIn(before, edited)
  const format = formats[edited.format]
  const place = { key: edited.key, name: serverName }
  const after = entry === undefined ? format.remove(before, place) : format.put(before, place, entry)
  // Such as a duplicate key: the edit would change the first, but the last one counts.
  const wanted = { ...others, [serverName]: entry }
  if (!isAlike(sectionIn(after, edited) ?? {}, wanted) || !isAlike(rest(after, edited), rest(before, edited)))
    throw new UsageError(
      `${edited.path} cannot be changed without changing more than this entry: "${edited.key}" or "${serverName}" may stand there twice. Nothing was changed.`,
    )
  return mark + after
}

/** True if two texts have equal values, ignoring an empty section of servers. */
export function saysTheSame(one: string, other: string, edited: Edited): boolean {
  return (
    isAlike(sectionIn(one, edited) ?? {}, sectionIn(other, edited) ?? {}) &&
    isAlike(rest(one, edited), rest(other, edited))
  )
}

const isAlike = (one: Entry, other: Entry) => isSame(given(one), given(other))
const given = (values: Entry) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const rest = (text: string, edited: Edited) => ({ ...valuesIn(text, edited), [edited.key]: undefined })

function sectionIn(text: string | undefined, edited: Edited): Record<string, unknown> | undefined {
  const section = valuesIn(text ?? '', edited)[edited.key]
  if (section === undefined || isRecord(section)) return section
  throw new UsageError(
    `${edited.path}: "${edited.key}" is not an object. Correct that, then try again. Nothing was changed.`,
  )
}

function valuesIn(text: string, { format, path }: Edited): Record<string, unknown> {
  const content = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
  if (content.trim() === '') return {}
  try {
    return formats[format].read(content)
  } catch (cause) {
    if (!(cause instanceof ConfigFault)) throw cause
    const where = `${path}:${cause.line}:${cause.column}`
    throw new UsageError(`${where}: ${cause.message}. Correct that line, then try again. Nothing was changed.`, {
      cause,
    })
  }
}
