import { closest, type DomNode, type Element, elementsIn, isElement, nodeAfter } from '../dom/dom.ts'
import { createElement } from '../dom/node.ts'

/** Elements whose text a reader does not see in the page itself. */
const unreadable = new Set(
  `script style template iframe svg meta link head title object embed canvas dialog datalist audio video progress meter source-map frame noembed`.split(
    /\s+/,
  ),
)
const videoHost =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|loom\.com|wistia\.(?:com|net)|codepen\.io)\//i

/** What a visitor fills in: no text of the page, but part of its HTML. */
const fields = new Set(['input', 'select', 'option', 'optgroup', 'textarea'])

/**
 * Removes scripts, styles and the like, and form fields unless they are kept for the HTML. Formulas, video embeds and
 * task check boxes stay.
 */
export function dropUnreadable(root: Element, kept: 'no fields' | 'fields' = 'no fields'): void {
  for (let at: DomNode | null = root.firstChild; at;) {
    const keep = isElement(at) ? readableForm(at, kept) : at
    const next: DomNode | null = (keep === at && isElement(at) && at.firstChild) || nodeAfter(at, root)
    if (keep === undefined) at.remove()
    else if (keep !== at) at.replaceWith(keep)
    at = next
  }
}

function readableForm(element: Element, kept: 'no fields' | 'fields'): Element | undefined {
  const name = element.localName
  if (fields.has(name))
    return (kept === 'fields' && !isHiddenField(element)) || isTaskBox(element) ? element : undefined
  if (!unreadable.has(name)) return element
  if (name === 'script') return formula(element)
  if (name === 'iframe') return videoHost.test(element.getAttribute('src') ?? '') ? element : undefined
  return undefined
}

/** MathJax keeps TeX in scripts; the normaliser and the writer expect formulas as `<code data-math>`. */
function formula(script: Element): Element | undefined {
  const type = script.getAttribute('type') ?? ''
  if (!type.startsWith('math/tex')) return undefined
  const code = createElement('code')
  code.setAttribute('data-math', type.includes('display') ? 'block' : 'inline')
  code.textContent = script.textContent
  return code
}

const isHiddenField = (field: Element) => /^hidden$/i.test(field.getAttribute('type') ?? '')

function isTaskBox(input: Element): boolean {
  return (
    input.localName === 'input' &&
    input.getAttribute('type') === 'checkbox' &&
    closest(input, (up) => up.localName === 'li', 4) !== undefined
  )
}

/** Removes the form fields that were kept for the HTML. */
export function dropFields(root: Element): void {
  for (const element of elementsIn(root)) if (fields.has(element.localName) && !isTaskBox(element)) element.remove()
}
