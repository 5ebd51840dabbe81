import type { PageNode } from '../../browser/in-page/snapshot-tools.ts'
import { isControl, linesOf, partsOf, textOf } from './lines.ts'

/** Around the content, and alike on all pages of a site. */
const around = /^(?:banner|navigation|complementary|contentinfo)$/
const isContent = ({ role }: PageNode) => role === 'main' || role.endsWith('dialog')
/** So few lines are as short as one that stands for them. */
const fewLines = 2
const mostNames = 140

/** How the parts around the content look, to know them again on the next page; refs and where one is do not count. */
export function framesOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap((node) => {
    if (isContent(node)) return []
    const inner = framesOf(node.children ?? [])
    return around.test(node.role) ? [likenessOf(node), ...inner] : inner
  })
}

/** Parts around the content that are known already are told in a line. */
export const withoutKnown = (nodes: readonly PageNode[], known: ReadonlySet<string>): PageNode[] =>
  folded(nodes, (node) => (known.has(likenessOf(node)) ? 'as before' : undefined))

/** Parts around the content are told by the names of their controls alone. */
export const named = (nodes: readonly PageNode[]): PageNode[] => folded(nodes, namesIn)

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
