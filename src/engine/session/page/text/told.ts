import type { PageNode } from '../../../page-script/snapshot/page-outline.ts'
import { partsOf } from './lines.ts'

/** Texts that an answer contains already, to leave them out of its snapshot. */
export type Told = { has(text: string): boolean; isEmpty: boolean }

/** So short a text may stand there for another reason. */
const leastText = 3

export function createTold(texts: readonly string[]): Told {
  // Rows are JSON, in which quotes are written otherwise.
  const all = texts.map((text) => plain(text.replaceAll('\\"', '"'))).join('\n')
  return {
    isEmpty: all.trim() === '',
    has: (text) => plain(text).length >= leastText && all.includes(plain(text)),
  }
}

const plain = (text: string) =>
  text
    .replace(/[\s|]+/g, ' ')
    .trim()
    .toLowerCase()

/** The nodes without texts that have been told; controls stay, as they are acted on by what a snapshot says of them. */
export function withoutTold(nodes: readonly PageNode[], told: Told): PageNode[] {
  return told.isEmpty ? [...nodes] : nodes.flatMap((node) => untoldOf(node, told))
}

function untoldOf(node: PageNode, told: Told): PageNode[] {
  if (isTextOnly(node)) {
    const texts = textsIn(node)
    return texts.length > 0 && texts.every((text) => told.has(text)) ? [] : [node]
  }
  if (!node.children) return [node]
  const children = withoutTold(node.children, told)
  const left = node.children.length - children.length
  if (left === 0) return [{ ...node, children }]
  return [{ ...node, children, note: [node.note, 'omitting what is quoted above'].filter(Boolean).join(', ') }]
}

const textRoles = /^(?:text|h\d|row|head|listitem|code)$/

const isTextOnly = (node: PageNode): boolean =>
  textRoles.test(node.role) && node.ref === undefined && partsOf(node).every((part) => isTextOnly(part))

const textsIn = (node: PageNode): string[] => [
  ...(node.name === undefined ? [] : [node.name]),
  ...(node.parts ?? []).flatMap((part) => (typeof part === 'string' ? part : textsIn(part))),
  ...[...(node.children ?? []), ...(node.cells ?? []).flat()].flatMap((part) => textsIn(part)),
]
