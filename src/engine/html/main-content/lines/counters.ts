import { classOf, closest, type Element, elementsIn, oneLine } from '../../dom/dom.ts'
import type { Measures } from '../measure.ts'
import type { PageKind } from '../page-kind.ts'
import { counterClass, isCount, namesWidget, scoreClass } from '../words/widgets.ts'

const box = /^(?:a|span|div|p|li|strong|b|button|label|h[3-6])$/
const maxWidget = 40
const maxCount = 8
/** What stands in a line of more text (characters) is part of it. */
const maxBeside = 12

/** Counters of votes and shares, and the words of choosers and lists, where they are all their line says. */
export function countersIn(root: Element, measures: Measures, kind: PageKind): Element[] {
  return elementsIn(root).filter((element) => {
    if (!box.test(element.localName)) return false
    const { text, images } = measures.of(element)
    if (text === 0 || text > maxWidget || images > 0 || !standsAlone(element, measures)) return false
    const words = oneLine(element.textContent)
    return namesWidget(words) || (text <= maxCount && isCount(words) && isCounter(element, kind))
  })
}

const isCountProperty = (element: Element) => element.getAttribute('itemprop')?.endsWith('Count') === true

function isCounter(element: Element, kind: PageKind): boolean {
  const counts = (up: Element) =>
    counterClass.test(classOf(up)) || (kind.forum && scoreClass.test(classOf(up))) || isCountProperty(up)
  return closest(element, counts, 3) !== undefined
}

/** Not in a line of text, a cell, a term or code. */
function standsAlone(element: Element, measures: Measures): boolean {
  const { text } = measures.of(element)
  if (isCountProperty(element)) return !closest(element, ({ localName }) => /^(?:p|li|td|h[1-6])$/.test(localName), 6)
  const line = closest(
    element,
    ({ localName }) => /^(?:p|li|td|th|dt|dd|pre|code|h[1-6]|blockquote|div)$/.test(localName),
    6,
  )
  if (!line || line === element)
    return !closest(element, ({ localName }) => /^(?:td|th|dt|dd|pre|code)$/.test(localName), 4)
  return !/^(?:td|th|dt|dd|pre|code|h[12])$/.test(line.localName) && measures.of(line).text <= text + maxBeside
}
