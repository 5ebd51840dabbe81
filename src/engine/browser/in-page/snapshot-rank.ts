/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools, Wish } from './snapshot-tools.ts'

/** Runs in the page: how well an element fits a description: 3 and more when its name holds what was said. */
export function addRank(tools: PageTools): void {
  const takes =
    /^(?:textbox|searchbox|combobox|listbox|spinbutton|slider|date|color|editor|file|checkbox|radio|switch)$/

  tools.rank = (element, wish) => {
    const field = element.localName === 'label' ? (element as HTMLLabelElement).control : element
    if (!field || (field !== element && tools.isShown(field))) return []
    const own = tools.roleOf(field) || 'clickable'
    const { role, fields } = wish
    if (role && role !== own && !isKind(role, own)) return []
    if (fields === 'only' && !takes.test(own)) return []
    const score = scoreOf(wish, tools.nameOf(field, own).toLowerCase(), field)
    return score > 0 && (tools.isShown(element) || own === 'file') ? [{ element: field, score }] : []
  }

  function isKind(role: string, own: string): boolean {
    if (role === 'heading') return /^h\d/.test(own)
    if (role === 'field' || role === 'input' || role === 'textbox')
      return /^(?:textbox|searchbox|combobox|spinbutton|date|editor)$/.test(own)
    if (role === 'select' || role === 'dropdown') return /^(?:combobox|listbox)$/.test(own)
    return role === 'button' && (own === 'clickable' || own === 'disclosure')
  }

  function scoreOf({ role, name: wanted }: Wish, said: string, element: Element): number {
    if (wanted === '') return role ? 5 : 0
    if (said === wanted) return 6
    const { id, name: key, placeholder } = element as HTMLInputElement
    if ([id, key, placeholder].some((each) => typeof each === 'string' && each.toLowerCase() === wanted)) return 5
    if (said.startsWith(wanted)) return 4
    if (said.includes(wanted)) return 3
    const words = wanted.split(' ')
    return words.filter((word) => word.length > 1 && said.includes(word)).length / (words.length + 1)
  }
}
