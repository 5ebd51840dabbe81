import { type DomNode, type Element, closest, isElement, nodeAfter } from '../dom.ts'

/** Elements that carry no text a reader sees in the page itself. */
const unreadable = new Set(
  `script style template iframe svg meta link head title object embed canvas dialog select datalist input textarea option
   optgroup audio video progress meter source-map frame noembed`.split(/\s+/),
)
const videoHost =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|loom\.com|wistia\.(?:com|net)|codepen\.io)\//i

/** Removes comments and everything that is machinery rather than text. What stands for content (formulas, videos, check boxes) stays. */
export function dropUnreadable(root: Element): void {
  for (let at: DomNode | null = root.firstChild; at;) {
    const keep = isElement(at) ? keptForm(at) : at.nodeType === 3 || at.nodeType === 4 ? at : undefined
    const next: DomNode | null = (keep === at && isElement(at) && at.firstChild) || nodeAfter(at, root)
    if (keep === undefined) at.remove()
    else if (keep !== at) at.replaceWith(keep)
    at = next
  }
}

function keptForm(element: Element): Element | undefined {
  const name = element.localName
  if (!unreadable.has(name)) return element
  if (name === 'script') return formula(element)
  if (name === 'iframe') return videoHost.test(element.getAttribute('src') ?? '') ? element : undefined
  if (name === 'input') return isTaskBox(element) ? element : undefined
  return undefined
}

/** MathJax keeps TeX in scripts; `<code data-math>` is how the rest of the room knows a formula. */
function formula(script: Element): Element | undefined {
  const type = script.getAttribute('type') ?? ''
  if (!type.startsWith('math/tex')) return undefined
  const code = script.ownerDocument.createElement('code')
  code.setAttribute('data-math', type.includes('display') ? 'block' : 'inline')
  code.textContent = script.textContent
  return code
}

function isTaskBox(input: Element): boolean {
  return input.getAttribute('type') === 'checkbox' && closest(input, (up) => up.localName === 'li', 4) !== undefined
}
