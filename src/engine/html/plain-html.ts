import { type DomNode, type Element, isElement, isText } from './dom.ts'

/** Elements the markdown rules know by name. All others are either boxes, which become div, or say nothing, which leaves their text. */
const kept = new Set(
  `a b strong i em code del s strike sup img br hr input h1 h2 h3 h4 h5 h6 p pre blockquote ul ol li dl dt dd table tr td`.split(
    /\s+/,
  ),
)
const boxes = new Set(
  `address article aside body caption center dir div fieldset figcaption figure footer form frameset header hgroup html
   legend listing main menu nav noframes noscript optgroup output plaintext section summary details tbody tfoot th thead
   xmp`.split(/\s+/),
)
const empty = new Set(['img', 'br', 'hr', 'input'])
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  code: ['class', 'data-math'],
  sup: ['data-footnote'],
  p: ['data-footnote'],
  li: ['data-number'],
  tr: ['data-align'],
  br: ['data-cell'],
  input: ['checked'],
}
const special = /[&<>"\u00A0]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00A0': '&nbsp;',
}

/** Writes what is inside an element as the least HTML that still says what the markdown rules ask for, without recursion. */
export function plainHtml(root: Element): string {
  const out: string[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isText(at)) out.push(escape(at.textContent))
    else if (isElement(at)) out.push(openTag(at))
    at = (isElement(at) && at.firstChild) || closeUpTo(at, root, out)
  }
  return out.join('')
}

/** Closes the element that ends here and those that end with it; answers the node that comes after. */
function closeUpTo(node: DomNode, root: Element, out: string[]): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) {
    if (isElement(at)) out.push(closeTag(at))
    const next: DomNode | null = at.nextSibling
    if (next) return next
  }
  return null
}

function openTag(element: Element): string {
  const name = writtenName(element)
  if (!name) return ''
  const attributes = (attributesOf[name] ?? []).map((attribute) => {
    const value = element.getAttribute(attribute)
    return value === null || (value === '' && attribute === 'class') ? '' : ` ${attribute}="${escape(value)}"`
  })
  return `<${name}${attributes.join('')}>`
}

function closeTag(element: Element): string {
  const name = writtenName(element)
  return name && !empty.has(name) ? `</${name}>` : ''
}

function writtenName(element: Element): string | undefined {
  if (kept.has(element.localName)) return element.localName
  return boxes.has(element.localName) ? 'div' : undefined
}

function escape(text: string): string {
  return text.replace(special, (character) => entities[character] as string)
}
