import { counted } from '../../../../util/amounts.ts'
import type { SnapshotOptions } from '../../../../contracts/render-port.ts'
import { type FoundAs, isControl, type Outline, type PageNode } from '../../../page-script/snapshot/page-outline.ts'
import { type Line, linesOf, partsOf, type LineOptions, textOf } from './snapshot-lines.ts'

type DetailLevel = Omit<LineOptions, 'only'> & { frame: 'described' | 'named' }
/** Detail levels, tried until the text is short enough. The first step shortens landmarks around the content. */
const fits: readonly DetailLevel[] = [
  { text: 200, items: 12, outOfView: 'counted', frame: 'described' },
  { text: 200, items: 12, outOfView: 'counted', frame: 'named' },
  { text: 100, items: 6, outOfView: 'counted', frame: 'named' },
  { text: 100, items: 10, outOfView: 'left out', frame: 'named' },
  { text: 60, items: 4, outOfView: 'left out', frame: 'named' },
  { text: 40, items: 2, outOfView: 'left out', frame: 'named' },
]
const maxHeadings = 8

/**
 * Returns the snapshot as text of at most `maxCharacters`, and as `frames` the landmarks around the content (such as
 * headers) that callers have seen. With `known`, used for a new page, landmarks listed there are only mentioned, and
 * the links of other landmarks are named in one line.
 */
export function fitSnapshot(
  outline: Outline,
  options: SnapshotOptions,
  maxCharacters: number,
  known?: readonly string[],
) {
  const scoped = options.scope !== undefined
  const head = scoped ? '' : `${headOf(outline)}\n`
  const whole = dialogsFirst(outline.nodes)
  const nodes = known ? foldLinks(foldKnown(whole, new Set(known))) : whole
  const only = options.interactiveOnly ? 'controls' : 'all'
  const frames = scoped ? [] : surroundingsOf(outline.nodes)
  for (const fit of fits) {
    const short = { ...fit, only, ...(scoped && { items: fit.items * 5 }) } as const
    const foot = footOf(outline, short.outOfView)
    const body = `${head}${textOf(linesOf(fit.frame === 'described' ? nodes : foldToNames(nodes), short))}`
    const isWhole = fit.outOfView === 'counted'
    if (body.length + foot.length <= maxCharacters)
      return { text: body + foot, body, frames: isWhole ? frames : frames.filter((each) => known?.includes(each)) }
  }
  const last = { ...(fits.at(-1) as DetailLevel), only } as const
  const body = cutText(head, linesOf(foldToNames(nodes), last), footOf(outline, 'left out'), maxCharacters)
  return { text: body, body, frames: frames.filter((each) => known?.includes(each)) }
}

function headOf({ title, url, modal, screens, file, nodes }: Outline): string {
  const all = screens.above + screens.below + 1
  const place = all > 1.1 ? ` (screen ${(screens.above + 1).toFixed(1)} of ${all.toFixed(1)})` : ''
  const notes = [
    modal && 'A dialog is open; the page behind it waits.',
    file !== undefined && `This is a file (${file}), not a page: scrape reads it by this URL.`,
    nodes.length === 0 &&
      file === undefined &&
      'There is nothing on this page to read; a screenshot shows how it looks.',
  ].flatMap((note) => (note ? `\n${note}` : []))
  return `${title || 'Untitled'} — ${url.length > 160 ? `${url.slice(0, 159)}…` : url}${place}${notes.join('')}`
}

/** Summarises the content out of view if the body omits it. */
function footOf({ headings, screens, controls, isCut }: Outline, outOfView: LineOptions['outOfView']): string {
  const cut = isCut ? '\n(large page: use find, or scroll)' : ''
  if (outOfView === 'counted' && !isCut) return ''
  return `${direction('↑', screens.above, headings.above)}${direction('↓', screens.below, headings.below)}${controls > 0 ? `\n(${controls} controls in all)` : ''}${cut}`
}

function direction(arrow: string, screens: number, headings: readonly string[]): string {
  if (screens < 0.1) return ''
  const names = headings.slice(0, maxHeadings).join(' · ')
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

/** Moves dialogs to the front, wherever they are in the tree. */
function dialogsFirst(nodes: readonly PageNode[]): PageNode[] {
  const lift = (node: PageNode): PageNode[] => (isDialog(node) ? [node] : (node.children ?? []).flatMap(lift))
  const without = (node: PageNode): PageNode[] => {
    if (isDialog(node)) return []
    return node.children ? [{ ...node, children: node.children.flatMap(without) }] : [node]
  }
  const dialogs = nodes.flatMap(lift)
  return dialogs.length === 0 ? [...nodes] : [...dialogs, ...nodes.flatMap(without)]
}

/** Returns the matches of a search as text of at most `most` characters. */
export function matchesText(outline: Outline, sought: string, most: number, text = 300): string {
  const { nodes, found = 0, foundAs = 'whole' } = outline
  if (found === 0) return `"${sought}" was not found on the page. Try fewer words, or scroll if the page loads more.`
  const places = `${counted(found, 'place')}${found > nodes.length ? `; the first ${nodes.length}` : ''}`
  const head = `${foundWords[foundAs](`"${sought}"`)} ${places}:`
  let report = head
  for (const { name, note, children = [] } of nodes) {
    const where = [name && `under "${name}"`, note].filter(Boolean).join(', ')
    const lines = textOf(linesOf(children, { text, items: 6, outOfView: 'counted', only: 'all' }, 1))
    const place = `\n${where ? `${where}:` : '·'}\n${lines}`
    if (report.length + place.length > most - 40) return `${report}\n… more: find a longer text`.slice(0, most)
    report += place
  }
  return report
}

const foundWords: Record<FoundAs, (quoted: string) => string> = {
  whole: (quoted) => `${quoted} appears in`,
  'within words': (quoted) => `${quoted} appears only inside longer words, in`,
  'words apart': (quoted) => `${quoted} was not found as it is; all its words appear in`,
  'some words': (quoted) => `${quoted} was not found; some of its words appear in`,
}

/** Landmarks that usually look the same on all pages of a site. */
const around = /^(?:banner|navigation|complementary|contentinfo)$/
const isContent = ({ role }: PageNode) => role === 'main' || role.endsWith('dialog')
/** Landmarks with at most this many lines are not folded into one. */
const fewLines = 2
const maxNames = 140

/** Returns landmarks as text without refs, to recognise them on the next page. */
function surroundingsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap((node) => {
    if (isContent(node)) return []
    const inner = surroundingsOf(node.children ?? [])
    return around.test(node.role) ? [likenessOf(node), ...inner] : inner
  })
}

const foldKnown = (nodes: readonly PageNode[], known: ReadonlySet<string>): PageNode[] =>
  foldSurroundings(nodes, (node) => (known.has(likenessOf(node)) ? 'as before' : undefined))

const foldToNames = (nodes: readonly PageNode[]): PageNode[] => foldSurroundings(nodes, namesIn)

function foldSurroundings(nodes: readonly PageNode[], noteOf: (node: PageNode) => string | undefined): PageNode[] {
  return nodes.map((node) => {
    if (isContent(node)) return node
    const note = around.test(node.role) && linesIn(node).length > fewLines ? noteOf(node) : undefined
    const { children, ...own } = node
    if (note !== undefined) return { ...own, note }
    return children ? { ...own, children: foldSurroundings(children, noteOf) } : node
  })
}

function namesIn(node: PageNode): string | undefined {
  const controls = (at: PageNode): string[] =>
    isControl(at.role) ? [at.name ?? at.role] : partsOf(at).flatMap((part) => controls(part))
  const names = controls(node)
  const text = names.join(' · ')
  return text.length <= maxNames ? text : `${text.slice(0, maxNames).trimEnd()}… ${names.length} controls`
}

/** Replaces unambiguous links of landmarks by one line of their names, by which they can be clicked. */
const foldLinks = (nodes: readonly PageNode[]): PageNode[] =>
  nodes.map((node) => {
    const { children, ...own } = node
    if (isContent(node) || !children) return node
    if (!around.test(node.role)) return { ...own, children: foldLinks(children) }
    const links = new Set(clearLinks(children))
    if (links.size <= fewLines) return node
    const named = [...links].map(({ name, states = [] }) => [name, ...states].join(' '))
    return { ...own, note: named.join(' · '), children: without(children, links) }
  })

function clearLinks(nodes: readonly PageNode[]): PageNode[] {
  const linksIn = (node: PageNode): PageNode[] =>
    node.role === 'link' ? [node] : (node.children ?? []).flatMap(linksIn)
  const alike = Map.groupBy(nodes.flatMap(linksIn), ({ name }) => name)
  return [...alike].flatMap(([name, links]) => (name !== undefined && links.length === 1 ? links : []))
}

const without = (nodes: readonly PageNode[], links: ReadonlySet<PageNode>): PageNode[] =>
  nodes.flatMap((node) => {
    if (links.has(node)) return []
    if (!node.children || node.children.length === 0) return [node]
    const children = without(node.children, links)
    return children.length > 0 ? [{ ...node, children }] : []
  })

const linesIn = (node: PageNode) =>
  linesOf([node], { text: 200, items: 12, outOfView: 'counted', only: 'all', focus: 'left out' })

/**
 * Returns a landmark as text without refs, and without URLs, because a link to the current page is shown without one.
 */
const likenessOf = (node: PageNode): string =>
  textOf(linesIn(node)).replaceAll(/ e\d+\b(?: current\b)?(?: [^\s"]*[/#]\S*)?/g, '')
