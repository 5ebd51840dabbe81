import type { SnapshotOptions } from '../../../contracts/page-action.ts'
import type { Outline, PageNode } from '../../page-script/snapshot/types.ts'
import { isControl, type Line, linesOf, partsOf, type Shortness, textOf } from './lines.ts'

type Fit = Omit<Shortness, 'only'> & { frame: 'told' | 'named' }
/** Tried one after the other, until the text is short enough. What is around the content gives way first. */
const fits: readonly Fit[] = [
  { text: 200, items: 12, outOfView: 'told', frame: 'told' },
  { text: 200, items: 12, outOfView: 'told', frame: 'named' },
  { text: 100, items: 6, outOfView: 'told', frame: 'named' },
  { text: 100, items: 10, outOfView: 'left out', frame: 'named' },
  { text: 60, items: 4, outOfView: 'left out', frame: 'named' },
  { text: 40, items: 2, outOfView: 'left out', frame: 'named' },
]
const mostHeadings = 8

export type Fitted = {
  text: string
  /** Without what only names what is out of view. */
  body: string
  /** What is around the content, as far as it was told or is known. */
  frames: readonly string[]
}

/** The snapshot as text of at most so many characters. What is `known` of the parts around the content is not told again. */
export function fitted(
  outline: Outline,
  options: SnapshotOptions,
  maxCharacters: number,
  known: readonly string[] = [],
): Fitted {
  const scoped = options.scope !== undefined
  const head = scoped ? '' : `${headOf(outline)}\n`
  const nodes = withoutKnown(dialogsFirst(outline.nodes), new Set(known))
  const only = options.interactiveOnly ? 'controls' : 'all'
  const frames = scoped ? [] : framesOf(outline.nodes)
  for (const fit of fits) {
    const short = { ...fit, only, ...(scoped && { items: fit.items * 5 }) } as const
    const foot = footOf(outline, short.outOfView)
    const body = `${head}${textOf(linesOf(fit.frame === 'told' ? nodes : named(nodes), short))}`
    const isWhole = fit.outOfView === 'told'
    if (body.length + foot.length <= maxCharacters)
      return { text: body + foot, body, frames: isWhole ? frames : frames.filter((each) => known.includes(each)) }
  }
  const last = { ...(fits.at(-1) as Fit), only } as const
  const body = cutText(head, linesOf(named(nodes), last), footOf(outline, 'left out'), maxCharacters)
  return { text: body, body, frames: frames.filter((each) => known.includes(each)) }
}

function headOf({ title, url, modal, screens }: Outline): string {
  const all = screens.above + screens.below + 1
  const place = all > 1.1 ? ` (screen ${(screens.above + 1).toFixed(1)} of ${all.toFixed(1)})` : ''
  return `${title || 'Untitled'} — ${url.length > 160 ? `${url.slice(0, 159)}…` : url}${place}${modal ? '\nA dialog is open; the page behind it waits.' : ''}`
}

/** What is out of view: said in full above, or else named. */
function footOf({ headings, screens, controls, isCut }: Outline, outOfView: Shortness['outOfView']): string {
  const cut = isCut ? '\n(large page: use find, or scroll)' : ''
  if (outOfView === 'told' && !isCut) return ''
  return `${direction('↑', screens.above, headings.above)}${direction('↓', screens.below, headings.below)}${controls > 0 ? `\n(${controls} controls in all)` : ''}${cut}`
}

function direction(arrow: string, screens: number, headings: readonly string[]): string {
  if (screens < 0.1) return ''
  const names = headings.slice(0, mostHeadings).join(' · ')
  return `\n${arrow} ${screens.toFixed(1)} more screens ${arrow === '↑' ? 'above' : 'below'}${names ? `: ${names}` : ''}`
}

function cutText(head: string, lines: readonly Line[], foot: string, most: number): string {
  const room = most - head.length - foot.length - 60
  let size = 0
  let count = lines.findIndex((line) => (size += line.depth + line.text.length + 1) > room)
  if (count < 0) count = lines.length
  const rest = lines.length - count
  return `${head}${textOf(lines.slice(0, count))}${rest > 0 ? `\n… ${rest} more lines: use find, or scope a ref` : ''}${foot}`.slice(
    0,
    most,
  )
}

const isDialog = ({ role }: PageNode) => role.endsWith('dialog')

/** Wherever they stand in the tree, dialogs are in front of the page. */
function dialogsFirst(nodes: readonly PageNode[]): PageNode[] {
  const lift = (node: PageNode): PageNode[] => (isDialog(node) ? [node] : (node.children ?? []).flatMap(lift))
  const without = (node: PageNode): PageNode[] => {
    if (isDialog(node)) return []
    return node.children ? [{ ...node, children: node.children.flatMap(without) }] : [node]
  }
  const dialogs = nodes.flatMap(lift)
  return dialogs.length === 0 ? [...nodes] : [...dialogs, ...nodes.flatMap(without)]
}

/** The places where a text stands, in at most so many characters. */
export function foundText({ nodes, found = 0 }: Outline, sought: string, most: number, text = 300): string {
  if (found === 0) return `Nothing on the page says "${sought}". Try fewer words, or scroll if the page loads more.`
  const head = `"${sought}" stands in ${found} ${found === 1 ? 'place' : 'places'}${found > nodes.length ? `; the first ${nodes.length}` : ''}:`
  let told = head
  for (const { name, note, children = [] } of nodes) {
    const where = [name && `under "${name}"`, note].filter(Boolean).join(', ')
    const lines = textOf(linesOf(children, { text, items: 6, outOfView: 'told', only: 'all' }, 1))
    const place = `\n${where ? `${where}:` : '·'}\n${lines}`
    if (told.length + place.length > most - 40) return `${told}\n… more: find a longer text`.slice(0, most)
    told += place
  }
  return told
}

/** Around the content, and alike on all pages of a site. */
const around = /^(?:banner|navigation|complementary|contentinfo)$/
const isContent = ({ role }: PageNode) => role === 'main' || role.endsWith('dialog')
/** So few lines are as short as one that stands for them. */
const fewLines = 2
const mostNames = 140

/** How the parts around the content look, to know them again on the next page; refs and where one is do not count. */
function framesOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap((node) => {
    if (isContent(node)) return []
    const inner = framesOf(node.children ?? [])
    return around.test(node.role) ? [likenessOf(node), ...inner] : inner
  })
}

/** Parts around the content that are known already are told in a line. */
const withoutKnown = (nodes: readonly PageNode[], known: ReadonlySet<string>): PageNode[] =>
  folded(nodes, (node) => (known.has(likenessOf(node)) ? 'as before' : undefined))

/** Parts around the content are told by the names of their controls alone. */
const named = (nodes: readonly PageNode[]): PageNode[] => folded(nodes, namesIn)

function folded(nodes: readonly PageNode[], noteOf: (node: PageNode) => string | undefined): PageNode[] {
  return nodes.map((node) => {
    if (isContent(node)) return node
    const note = around.test(node.role) && linesIn(node).length > fewLines ? noteOf(node) : undefined
    const { children, ...own } = node
    if (note !== undefined) return { ...own, note }
    return children ? { ...own, children: folded(children, noteOf) } : node
  })
}

function namesIn(node: PageNode): string | undefined {
  const controls = (at: PageNode): string[] =>
    isControl(at.role) ? [at.name ?? at.role] : partsOf(at).flatMap((part) => controls(part))
  const names = controls(node)
  const text = names.join(' · ')
  return text.length <= mostNames ? text : `${text.slice(0, mostNames).trimEnd()}… ${names.length} controls`
}

const linesIn = (node: PageNode) =>
  linesOf([node], { text: 200, items: 12, outOfView: 'told', only: 'all', focus: 'left out' })

/** The link to a page is told without its address there. */
const likenessOf = (node: PageNode): string =>
  textOf(linesIn(node)).replaceAll(/ e\d+\b(?: current\b)?(?: [^\s"]*[/#]\S*)?/g, '')
