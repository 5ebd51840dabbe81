import type { PageNode } from '../../page-script/snapshot/types.ts'

/** One line of a snapshot. */
export type Line = {
  depth: number
  text: string
  ref?: number
  where?: PageNode['where']
  hasFocus: boolean
}
/** How far a snapshot is shortened. */
export type Shortness = {
  /** Most characters of a text. */
  text: number
  /** Rows and items that are told of a table or list. */
  items: number
  outOfView: 'told' | 'left out'
  /** Controls alone. */
  only: 'all' | 'controls'
  /** Where the focus is says little of what an act has changed. */
  focus?: 'left out'
}

const quoted = (name: string, most: number) =>
  `"${shortened(name.replace(/\s+/g, ' ').trim(), most).replaceAll('"', "'")}"`
/** What only looks like a ref is put in quotes. */
const told = (text: string, most: number) => (/\be\d+\b/.test(text) ? quoted(text, most) : shortened(text, most))
const shortened = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`)
const controlRoles =
  /\b(?:button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab|menuitem\w*|treeitem|file|date|color|clickable|editor|disclosure)$/
export const isControl = (role: string): boolean => controlRoles.test(role)

/** The lines of a tree, each no more than what it takes to know and to use the thing. */
export function linesOf(nodes: readonly PageNode[], short: Shortness, depth = 0): Line[] {
  return nodes.flatMap((node, at) => {
    const isLeftOut = (node.where && short.outOfView === 'left out') || isTold(node, nodes[at - 1])
    return isLeftOut ? [] : linesOfNode(node, short, depth)
  })
}

/** What a field complains of often stands beside it as well. */
function isTold({ role, name, children }: PageNode, before: PageNode | undefined): boolean {
  const [only, ...more] = children ?? []
  if (/^(?:alert|status)$/.test(role) && only && more.length === 0) return isTold(only, before)
  return role === 'text' && name !== undefined && before?.states?.includes(`invalid "${name}"`) === true
}

function linesOfNode(node: PageNode, short: Shortness, depth: number): Line[] {
  const { children = [], role, ref, where } = node
  if (short.only === 'controls' && !isControl(role)) return linesOf(partsOf(node), short, depth)
  if (role === 'listitem') return asItem(linesOf(children, short, depth + 1), depth)
  const inner = folds(role) ? foldedLines(node, short, depth + 1) : linesOf(children, short, depth + 1)
  if (children.length > 0 && inner.length === 0 && short.outOfView === 'left out' && !ref) return []
  const own: Line = {
    ...lineOf(depth, headOf(node, short)),
    ...(ref !== undefined && { ref }),
    ...(where && { where }),
    hasFocus: node.states?.includes('focused') === true,
  }
  return [own, ...inner]
}

/** Everything that stands in it. */
export const partsOf = ({ children = [], parts = [], cells = [] }: PageNode): PageNode[] =>
  [...children, ...parts, ...cells.flat()].filter((part) => typeof part === 'object')

/** Some of the rows or items: those in view, if any are. */
function foldedLines(node: PageNode, short: Shortness, depth: number): Line[] {
  const { children = [], role, ref, total = 0 } = node
  const head = children[0]?.role === 'head' ? children.slice(0, 1) : []
  const items = children.slice(head.length).filter(({ where }) => !where || short.outOfView === 'told')
  const count = kept(items.length, short.items)
  const first = items.findIndex(({ where }) => !where)
  const from = Math.max(0, Math.min(first, items.length - count))
  const skipped = children.slice(head.length).indexOf(items[from] as PageNode)
  const rest = Math.max(total, children.length) - head.length - Math.max(0, skipped) - count
  const kind = role === 'table' ? 'rows' : 'items'
  return [
    ...linesOf(head, { ...short, outOfView: 'told' }, depth),
    ...(skipped > 0 ? [lineOf(depth, `… ${skipped} ${kind} above`)] : []),
    ...linesOf(items.slice(from, from + count), short, depth),
    ...(rest > 0 ? [lineOf(depth, `… ${rest} more ${kind}: find, or scope e${ref}`)] : []),
  ]
}

const lineOf = (depth: number, text: string): Line => ({ depth, text, hasFocus: false })
const folds = (role: string) => /^(?:table|list|listbox|menu|tree)$/.test(role)
/** One more is as short as a line that says so. */
const kept = (count: number, most: number) => (count <= most + 1 ? count : most)

function asItem([first, ...rest]: readonly Line[], depth: number): Line[] {
  return first ? [{ ...first, depth, text: `- ${first.text}` }, ...rest] : []
}

function headOf(node: PageNode, short: Shortness): string {
  const { role, name, ref, parts, cells, total } = node
  if (role === 'text') return parts ? shortened(inlineOf(parts, short), short.text * 3) : told(name ?? '', short.text)
  if (cells) return rowOf(node, cells, short)
  if (role === 'code')
    return `code e${ref} (${total} lines): ${told((name ?? '').replaceAll('\n', ' ⏎ '), short.text * 2)}`
  return controlOf(node, short)
}

function rowOf({ role, ref }: PageNode, cells: readonly PageNode[][], short: Shortness): string {
  const content = cells.map((cell) => cell.map((each) => headOf(each, { ...short, text: 60 })).join(' ')).join(' | ')
  return role === 'head' ? content : `row${ref === undefined ? '' : ` e${ref}`}: ${content}`
}

function controlOf({ role, name, ref, value, states = [], url, note, total }: PageNode, short: Shortness): string {
  const parts = [
    role,
    name && quoted(name, Math.max(40, short.text)),
    ref !== undefined && `e${ref}`,
    value !== undefined && `= ${quoted(value, 80)}`,
    ...(short.focus ? states.filter((state) => state !== 'focused') : states),
    url,
    note && `(${note})`,
    role === 'table' && `(${total} rows)`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** What stands in a text keeps its ref, however short the text becomes. */
function inlineOf(parts: readonly (string | PageNode)[], short: Shortness): string {
  return parts.map((part) => (typeof part === 'string' ? told(part, short.text) : `[${headOf(part, short)}]`)).join(' ')
}

export const textOf = (lines: readonly Line[]): string =>
  lines.map(({ depth, text }) => `${' '.repeat(Math.min(depth, 12))}${text}`).join('\n')
