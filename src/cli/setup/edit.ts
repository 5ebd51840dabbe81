import { isRecord } from '../../util/json.ts'
import { UsageError } from '../command.ts'
import { type Client, type ClientName, clientOf } from './clients.ts'
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { parse, patch, stringify } from '@decimalturn/toml-patch'
import { isDeepStrictEqual } from 'node:util'

/** Name of the server in client configs. */
export const serverName = 'gossamer'

/** Command with which a client starts the program. */
type Launch = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }
export type Entry = Readonly<Record<string, unknown>>

/** Creates the server's entry in the config of a client. */
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
 * Returns the command that starts the running program again. GUI programs have neither the PATH of a shell nor the Node
 * of a version manager, so both paths are absolute. A program run by `npx` is in a cache that is cleared occasionally,
 * so the command calls `npx` itself.
 */
export function launchOf({ platform, execPath, script }: Running): Pick<Launch, 'command' | 'args'> {
  if (!/[\\/]_npx[\\/]/.test(script)) return { command: execPath, args: [script] }
  const args = ['-y', 'gossamer-mcp']
  // Windows cannot start a batch file such as npx directly.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args }
}

const emptyText: Record<Client['format'], string> = { json: '{}\n', jsonc: '{}\n', toml: '' }
const byteOrderMark = '\uFEFF'

/** A config to edit: its client, and its path for messages. */
type Edited = Pick<Client, 'format' | 'key'> & { path: string }

/** Returns the server's entry in a config; undefined if missing. Throws UsageError for invalid text. */
export function entryIn(text: string | undefined, edited: Edited): Entry | undefined {
  const section = sectionIn(text, edited)
  const entry = section?.[serverName]
  return isRecord(entry) ? entry : undefined
}

/**
 * Returns the config text with this entry, or without any; the rest is unchanged. Throws UsageError for invalid text.
 */
export function withEntry(text: string | undefined, entry: Entry | undefined, edited: Edited): string {
  const mark = text?.startsWith(byteOrderMark) ? byteOrderMark : ''
  const isEmpty = text === undefined || text.slice(mark.length).trim() === ''
  const before = isEmpty ? emptyText[edited.format] : text.slice(mark.length)
  const others = sectionIn(before, edited)
  const format = formats[edited.format]
  const place = { key: edited.key, name: serverName }
  const after = entry === undefined ? format.remove(before, place) : format.put(before, place, entry)
  // With a duplicate key, the edit would change the first one, but the last one counts.
  const wanted = { ...others, [serverName]: entry }
  if (!isAlike(sectionIn(after, edited) ?? {}, wanted) || !isAlike(restOf(after, edited), restOf(before, edited)))
    throw new UsageError(
      `${edited.path} cannot be changed without changing more than this entry: "${edited.key}" or "${serverName}" may be in it twice. Nothing was changed.`,
    )
  return mark + after
}

/** True if two texts have equal values, ignoring an empty section of servers. */
export function isEquivalent(one: string, other: string, edited: Edited): boolean {
  return (
    isAlike(sectionIn(one, edited) ?? {}, sectionIn(other, edited) ?? {}) &&
    isAlike(restOf(one, edited), restOf(other, edited))
  )
}

const isAlike = (one: Entry, other: Entry) => isSame(defined(one), defined(other))
const defined = (values: Entry) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const restOf = (text: string, edited: Edited) => ({ ...valuesIn(text, edited), [edited.key]: undefined })

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

/** Error in the text of a config file. Lines and columns count from 1. */
class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly line: number
  readonly column: number
  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** A config file format, edited as text so everything else stays as its owner wrote it. */
type ConfigText = {
  /** Parses the text. Throws ConfigFault for text that the client could not read either. */
  read(text: string): Record<string, unknown>
  /** The text with a value at `[key, name]`. */
  put(text: string, place: Place, value: object): string
  /** The text without that value. */
  remove(text: string, place: Place): string
}
type Place = { key: string; name: string }

const newlineOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n')

function positionAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** True if two objects have equal values, whatever their prototypes. */
const isSame = (one: object, other: object) => isDeepStrictEqual(structuredClone(one), structuredClone(other))

type Values = Record<string, unknown>
/** Each server has its own table, and so has its environment. */
const asTables = { inlineTableStart: 5 }

const tomlText: ConfigText = {
  read,
  put(text, place, value) {
    const rest = tomlText.remove(text, place)
    const wanted = withValue(read(text), place, value)
    const appended = `${rest}${gapAfter(rest)}${tableOf(place, value, newlineOf(text))}`
    // A table cannot be appended if the others are written as one inline value.
    return isEqual(appended, wanted) ? appended : patch(text, wanted, asTables)
  },
  remove(text, place) {
    const section = read(text)[place.key]
    if (!isRecord(section) || !isRecord(section[place.name])) return text
    const own = tableOf(place, section[place.name] as object, newlineOf(text))
    // Removes exactly what was written, so a comment below it stays.
    const [before = '', after, ...more] = text.split(own)
    const wanted = withValue(read(text), place, undefined)
    const cut = `${before.replace(/(?<=\n)\r?\n$/, '')}${after}`
    if (after !== undefined && more.length === 0 && isEqual(cut, wanted)) return cut
    return patch(text, wanted, asTables)
  },
}

function read(text: string): Values {
  try {
    return parse(text) as Values
  } catch (cause) {
    const { line = 1, column = 0, message } = cause as { line?: number; column?: number; message: string }
    throw new ConfigFault(message.split('\n').at(-1) ?? message, { line, column: column + 1 })
  }
}

function isEqual(text: string, wanted: Values): boolean {
  try {
    return isSame(withoutEmpty(read(text)), withoutEmpty(wanted))
  } catch {
    return false
  }
}
/** Removes empty tables, which need not be written. */
const withoutEmpty = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0))

function withValue(values: Values, { key, name }: Place, value: object | undefined): Values {
  const section = isRecord(values[key]) ? { ...values[key] } : {}
  delete section[name]
  return { ...values, [key]: value === undefined ? section : { ...section, [name]: value } }
}

/** Formats the table `[key.name]` with its values. */
function tableOf({ key, name }: Place, value: object, newline: string): string {
  const text = stringify({ [key]: { [name]: value } }, asTables)
  const table = text.slice(text.indexOf(`[${key}.${name}]`)).trimEnd()
  return `${table}\n`.replaceAll('\n', newline)
}

function gapAfter(text: string): string {
  if (text.trim() === '') return ''
  return text.endsWith('\n') ? newlineOf(text) : newlineOf(text).repeat(2)
}

type Edit = { from: number; to: number; text: string }

/** Creates the format JSON, or JSON with comments and trailing commas. */
const jsonText = (allows: 'comments' | 'no comments'): ConfigText => {
  const rootOf = (text: string) => parsed(text, allows === 'comments')
  return {
    read: (text) => getNodeValue(rootOf(text)) as Record<string, unknown>,
    put(text, { key, name }, value) {
      const root = rootOf(text)
      const section = findNodeAtLocation(root, [key])
      if (!section) return edited(text, added(text, root, key, { [name]: value }))
      const old = findNodeAtLocation(section, [name])
      if (!old) return edited(text, added(text, section, name, value))
      return edited(text, [{ from: old.offset, to: endOf(old), text: written(text, value, depthOf(old)) }])
    },
    remove(text, { key, name }) {
      const property = findNodeAtLocation(rootOf(text), [key, name])?.parent
      return property ? edited(text, removed(text, property)) : text
    },
  }
}

function parsed(text: string, hasComments: boolean): Node {
  const faults: ParseError[] = []
  const root = parseTree(text, faults, { disallowComments: !hasComments, allowTrailingComma: hasComments })
  const [fault] = faults
  if (fault) throw new ConfigFault(faultText(printParseErrorCode(fault.error)), positionAt(text, fault.offset))
  if (root?.type !== 'object')
    throw new ConfigFault('An object, { … }, is expected here', positionAt(text, root?.offset ?? 0))
  return root
}

/** Converts `CommaExpected` to `Comma expected`. */
const faultText = (code: string) => code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const endOf = ({ offset, length }: Node) => offset + length
const depthOf = (node: Node | undefined): number =>
  node === undefined ? -1 : (node.type === 'object' ? 1 : 0) + depthOf(node.parent)

/** Returns an edit that removes the next comma, after comments and white space; no edit if there is none. */
function commaAfter(text: string, offset: number): Edit[] {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const from = scanner.getTokenOffset()
  return text[from] === ',' ? [{ from, to: from + 1, text: '' }] : []
}

/** Returns edits that add a property at the end of an object. A one-line object stays on one line. */
function added(text: string, object: Node, name: string, value: object): Edit[] {
  const close = endOf(object) - 1
  const last = object.children?.at(-1)
  const isOneLine = last !== undefined && !text.slice(object.offset, close).includes('\n')
  if (isOneLine) return [{ from: endOf(last), to: endOf(last), text: `, ${JSON.stringify(name)}: ${inline(value)}` }]
  const newline = newlineOf(text)
  const depth = depthOf(object) + 1
  const property = `${JSON.stringify(name)}: ${written(text, value, depth)}`
  const endsInComma = last !== undefined && commaAfter(text, endOf(last)).length > 0
  const from = text.slice(0, close).trimEnd().length
  return [
    ...(last && !endsInComma ? [{ from: endOf(last), to: endOf(last), text: ',' }] : []),
    {
      from,
      to: close,
      text: `${newline}${indent(text, depth)}${property}${endsInComma ? ',' : ''}${newline}${indent(text, depth - 1)}`,
    },
  ]
}

/**
 * Returns edits that remove a property and the comma after it. If it has none, removes the comma of the property
 * before, which becomes the last one.
 */
function removed(text: string, property: Node): Edit[] {
  const siblings = property.parent?.children ?? []
  const before = siblings[siblings.indexOf(property) - 1]
  const own = commaAfter(text, endOf(property))
  const from = text.slice(0, property.offset).trimEnd().length
  return [
    ...(own.length === 0 && before ? commaAfter(text, endOf(before)) : own),
    { from, to: endOf(property), text: '' },
  ]
}

/**
 * Applies edits from the end of the text to its start. Of two edits at one offset, the first in the list comes first in
 * the text.
 */
const edited = (text: string, edits: readonly Edit[]): string =>
  edits
    .toReversed()
    .toSorted((one, other) => other.from - one.from)
    .reduce((result, { from, to, text: by }) => result.slice(0, from) + by + result.slice(to), text)

/** Returns indentation of this depth, in the style of the first indented line of the file; two spaces by default. */
const indent = (text: string, depth: number) => (/^[\t ]+(?=["/])/m.exec(text)?.[0] ?? '  ').repeat(depth)

const inline = (value: object) => JSON.stringify(value, null, 1).replace(/\n */g, ' ')

/** Formats a value that starts on a line of this depth. */
function written(text: string, value: object, depth: number): string {
  const lines = JSON.stringify(value, null, indent(text, 1))
    .replace(/\[\s+([^[\]{}]*?)\s+\]/g, joined)
    .split('\n')
  return lines.join(`${newlineOf(text)}${indent(text, depth)}`)
}

/** Joins the lines of a list of strings. */
const joined = (_: string, items: string) => `[${items.replace(/,\s*\n\s*/g, ', ')}]`

const formats: Record<Client['format'], ConfigText> = {
  json: jsonText('no comments'),
  jsonc: jsonText('comments'),
  toml: tomlText,
}
