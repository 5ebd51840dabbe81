import { isControl, type PageNode } from '../../../page-script/snapshot/page-outline.ts'

export type Line = {
  depth: number
  text: string
  ref?: number
  where?: PageNode['where']
  hasFocus: boolean
}
export type LineOptions = {
  text: number
  items: number
  outOfView: 'counted' | 'left out'
  /** `controls` omits everything else. */
  only: 'all' | 'controls'
  /** `left out` is for comparisons, in which a moved focus or control is not a change. */
  focus?: 'left out'
}

const quote = (name: string, most: number) =>
  `"${shorten(name.replace(/\s+/g, ' ').trim(), most).replaceAll('"', "'")}"`
/** Quotes text that looks like a ref. */
const shortenOrQuote = (text: string, most: number) => (/\be\d+\b/.test(text) ? quote(text, most) : shorten(text, most))
const shorten = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`)

/** Returns the lines of a tree: role, name, ref and state of each node. */
export function linesOf(nodes: readonly PageNode[], short: LineOptions, depth = 0): Line[] {
  return nodes.flatMap((node, at) => {
    const isLeftOut = (node.where && short.outOfView === 'left out') || isRepeated(node, nodes[at - 1])
    return isLeftOut ? [] : linesOfNode(node, short, depth)
  })
}

/** True for a field's error message that is repeated next to the field. */
function isRepeated({ role, name, children }: PageNode, before: PageNode | undefined): boolean {
  const [only, ...more] = children ?? []
  if (/^(?:alert|status)$/.test(role) && only && more.length === 0) return isRepeated(only, before)
  return role === 'text' && name !== undefined && before?.states?.includes(`invalid "${name}"`) === true
}

function linesOfNode(node: PageNode, short: LineOptions, depth: number): Line[] {
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

export const partsOf = ({ children = [], parts = [], cells = [] }: PageNode): PageNode[] =>
  [...children, ...parts, ...cells.flat()].filter((part) => typeof part === 'object')

/** Returns some of the rows or items, preferably those in view. */
function foldedLines(node: PageNode, short: LineOptions, depth: number): Line[] {
  const { children = [], role, ref, total = 0 } = node
  const head = children[0]?.role === 'head' ? children.slice(0, 1) : []
  const items = children.slice(head.length).filter(({ where }) => !where || short.outOfView === 'counted')
  const count = kept(items.length, short.items)
  const first = items.findIndex(({ where }) => !where)
  const from = Math.max(0, Math.min(first, items.length - count))
  const skipped = children.slice(head.length).indexOf(items[from] as PageNode)
  const rest = Math.max(total, children.length) - head.length - Math.max(0, skipped) - count
  const kind = role === 'table' ? 'rows' : 'items'
  return [
    ...linesOf(head, { ...short, outOfView: 'counted' }, depth),
    ...(skipped > 0 ? [lineOf(depth, `… ${skipped} ${kind} above`)] : []),
    ...linesOf(items.slice(from, from + count), short, depth),
    ...(rest > 0 ? [lineOf(depth, `… ${rest} more ${kind}: find, or scope e${ref}`)] : []),
  ]
}

const lineOf = (depth: number, text: string): Line => ({ depth, text, hasFocus: false })
const folds = (role: string) => /^(?:table|list|listbox|menu|tree)$/.test(role)
/** Allows one item more than `most`, because a line that reports a single omission would be as long. */
const kept = (count: number, most: number) => (count <= most + 1 ? count : most)

function asItem([first, ...rest]: readonly Line[], depth: number): Line[] {
  return first ? [{ ...first, depth, text: `- ${first.text}` }, ...rest] : []
}

function headOf(node: PageNode, short: LineOptions): string {
  const { role, name, ref, parts, cells, total } = node
  if (role === 'text')
    return parts ? shorten(inlineOf(parts, short), short.text * 3) : shortenOrQuote(name ?? '', short.text)
  if (cells) return rowOf(node, cells, short)
  if (role === 'code')
    return `code e${ref} (${total} lines): ${shortenOrQuote((name ?? '').replaceAll('\n', ' ⏎ '), short.text * 2)}`
  return controlOf(node, short)
}

function rowOf({ role, ref }: PageNode, cells: readonly PageNode[][], short: LineOptions): string {
  const content = cells.map((cell) => cell.map((each) => wholeOf(each, { ...short, text: 60 })).join(' ')).join(' | ')
  return role === 'head' ? content : `row${ref === undefined ? '' : ` e${ref}`}: ${content}`
}

/** Returns a node with all its content, because a cell may contain a form or a frame. */
function wholeOf(node: PageNode, short: LineOptions): string {
  const inner = (node.children ?? []).map((each) => wholeOf(each, short)).join(' ')
  return inner === '' ? headOf(node, short) : `${headOf(node, short)} [${inner}]`
}

function controlOf({ role, name, ref, value, states = [], url, note, place, total }: PageNode, short: LineOptions) {
  const parts = [
    role,
    name && quote(name, Math.max(40, short.text)),
    ref !== undefined && `e${ref}`,
    value !== undefined && `= ${quote(value, 80)}`,
    ...(short.focus ? states.filter((state) => state !== 'focused') : states),
    url,
    note && `(${note})`,
    !short.focus && place,
    role === 'table' && `(${total} rows)`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** Controls within a text keep their refs even if the text is shortened. */
function inlineOf(parts: readonly (string | PageNode)[], short: LineOptions): string {
  return parts
    .map((part) => (typeof part === 'string' ? shortenOrQuote(part, short.text) : `[${headOf(part, short)}]`))
    .join(' ')
}

export const textOf = (lines: readonly Line[]): string =>
  lines.map(({ depth, text }) => `${' '.repeat(Math.min(depth, 12))}${text}`).join('\n')
