import { drawsItself } from './ink.ts'
import { placeSight } from './sight.ts'
import { textOf } from './text.ts'

const fields = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|file|date|color|editor)$/
export const fieldSelector = 'input,select,textarea,[contenteditable],[role=checkbox],[role=radio],[role=switch]'

/**
 * Whether a control is offered to people. Fields always are: the drawing of a check box, a file field or an editor often
 * lies over the real one.
 */
export function isOffered(element: Element, role: string): boolean {
  if (fields.test(role)) return true
  if (placeSight(element) !== 'seen') return false
  const isNamed = textOf(element, 1) !== '' || textOf(element, 1, ['masked']) === ''
  return isNamed || drawsItself(element)
}
