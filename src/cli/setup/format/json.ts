import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { ConfigFault, type ConfigText, newlineOf, positionAt } from './config-text.ts'

type Edit = { from: number; to: number; text: string }

/** JSON, or JSON with comments and commas before a closing bracket. */
export const jsonText = (allows: 'comments' | 'no comments'): ConfigText => {
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

/** `CommaExpected` as `Comma expected`. */
const faultText = (code: string) => code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const endOf = ({ offset, length }: Node) => offset + length
const depthOf = (node: Node | undefined): number =>
  node === undefined ? -1 : (node.type === 'object' ? 1 : 0) + depthOf(node.parent)

/** The comma that follows, past comments and white space, as an edit that takes it out. */
function commaAfter(text: string, offset: number): Edit[] {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const from = scanner.getTokenOffset()
  return text[from] === ',' ? [{ from, to: from + 1, text: '' }] : []
}

/** A property behind all others of an object. What is written on one line stays on one line. */
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

/** One comma goes with it: its own, or else that of the property before, which is the last from then on. */
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

/** The last edit is made first; of two at one place, the one that is listed first comes to stand first. */
const edited = (text: string, edits: readonly Edit[]): string =>
  edits
    .toReversed()
    .toSorted((one, other) => other.from - one.from)
    .reduce((result, { from, to, text: by }) => result.slice(0, from) + by + result.slice(to), text)

/** As the file indents its first line that is indented, or by two spaces. */
const indent = (text: string, depth: number) => (/^[\t ]+(?=["/])/m.exec(text)?.[0] ?? '  ').repeat(depth)

const inline = (value: object) => JSON.stringify(value, null, 1).replace(/\n */g, ' ')

/** A value that begins on a line of this depth. */
function written(text: string, value: object, depth: number): string {
  const lines = JSON.stringify(value, null, indent(text, 1))
    .replace(/\[\s+([^[\]{}]*?)\s+\]/g, joined)
    .split('\n')
  return lines.join(`${newlineOf(text)}${indent(text, depth)}`)
}

/** A list of words takes one line. */
const joined = (_: string, items: string) => `[${items.replace(/,\s*\n\s*/g, ', ')}]`
