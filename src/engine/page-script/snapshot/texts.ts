import { textSight } from '../dom/sight.ts'
import { clean, textOf } from '../dom/text.ts'
import { controlNode, type Item } from './nodes.ts'

/** Whether text that nobody sees is told too, marked as such. */
export type HiddenText = 'left out' | 'marked'
export type TextRules = {
  /** Long texts are cut around this text, in lower case. */
  sought?: string
  hidden?: HiddenText
}

const maxText = 1200
const maxBeside = 160

/** The text of a node, if people see it. */
export function textItems({ nodeValue }: Node, parent: Element, { sought, hidden }: TextRules): Item[] {
  const text = nodeValue ?? ''
  if (text.trim() === '' || textSight(parent) === 'seen') return [shortText(text, sought)]
  return hidden === 'marked' ? [{ role: 'hidden text', name: shortText(clean(text), sought) }] : []
}

/** A control that people are not offered. */
export function unseenNodes(element: Element, role: string, { hidden }: TextRules): Item[] {
  if (hidden !== 'marked') return []
  const { states = [], ...node } = controlNode(element, role)
  const name = node.name ?? textOf(element, maxText, ['aside', 'masked', 'gone'])
  return [{ ...node, ...(name && { name }), states: ['hidden', ...states] }]
}

function shortText(text: string, sought = ''): string {
  if (text.length <= maxText) return text
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought)
  if (at < 0) return `${text.slice(0, maxText)}…`
  return `…${text.slice(Math.max(0, at - maxBeside), at + sought.length + maxBeside)}…`
}
