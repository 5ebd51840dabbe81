import { isHtml } from '../dom/kinds.ts'
import { textSight } from '../dom/sight.ts'
import { clean } from '../dom/text.ts'
import { everyElement } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'

const cleanLower = (text: string | null) => clean(text).toLowerCase()

/** The elements whose visible text is this one, which may be spread over several nodes; those in the same case if there are any. */
export function elementsWithText(root: ParentNode, { name, asWritten }: { name: string; asWritten?: true }): Element[] {
  if (name === '') return []
  const wanted = name.toLowerCase()
  const all = [...(root instanceof Element ? [root] : []), ...everyElement(root, '*', Infinity)]
  const found = all.flatMap((element) => {
    const texts = ownTexts(element, wanted)
    if (texts.length === 0 || textSight(element) !== 'seen') return []
    const whole = texts.find((text) => text.length === name.length)
    const holder = whole === undefined ? ancestorWith(element, wanted) : element
    return holder && isShown(holder) ? { element: namedElement(holder), text: whole ?? clean(holder.textContent) } : []
  })
  const inCase = found.filter(({ text }) => text === name)
  return (inCase.length > 0 || asWritten ? inCase : found).map(({ element }) => element)
}

/** Finds the text nodes in which a text may start. Its first letter is compared first, as pages have many text nodes. */
function ownTexts(element: Element, wanted: string): string[] {
  const nodes = Array.from(element.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
  return nodes
    .map(({ nodeValue }) => (nodeValue ?? '').replace(unseenStart, ''))
    .filter((text) => text !== '' && wanted.startsWith(text.charAt(0).toLowerCase()))
    .map(clean)
    .filter((text) => wanted.startsWith(text.toLowerCase()))
}

const unseenStart = /^[\s\p{Cf}]+/u

/** Finds the ancestor whose whole text is this one. */
function ancestorWith(element: Element, wanted: string): Element | undefined {
  const text = cleanLower(element.textContent)
  if (text === wanted) return element
  return element.parentElement && text.length < wanted.length ? ancestorWith(element.parentElement, wanted) : undefined
}

/** Returns the element that a text names: the field of a label, the table of a caption. */
function namedElement(element: Element): Element {
  const label = element.closest('label,caption')
  return (isHtml(label, 'label') ? label.control : label?.parentElement) ?? element
}

/** Finds the innermost descendant that contains all of a text. */
export function holderOf(element: Element, wanted: string): Element {
  const inner = Array.from(element.children).find((child) => cleanLower(child.textContent).includes(wanted))
  return inner ? holderOf(inner, wanted) : element
}
