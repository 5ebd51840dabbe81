import { type DomNode, type Element, isElement } from './dom.ts'

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Their text is written as it is: markup in it means nothing. */
const raw = new Set('script style xmp iframe noembed noframes plaintext'.split(' '))

/** The HTML of all that is inside of an element (HTML standard, 13.3: serializing HTML fragments). */
export function innerHtml(root: Element): string {
  const out: string[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isElement(at)) writeStart(at, out)
    else out.push(raw.has(at.parentNode?.localName ?? '') ? at.textContent : escaped(at.textContent))
    at = (isElement(at) && at.firstChild) || nextAfter(at, root, out)
  }
  return out.join('')
}

/** The next node that is not inside this one; writes the end tags of the elements that end before it. */
function nextAfter(node: DomNode, root: Element, out: string[]): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) {
    if (isElement(at) && !voids.has(at.localName)) out.push(`</${at.localName}>`)
    if (at.nextSibling) return at.nextSibling
  }
  return null
}

function writeStart({ localName, pairs = [] }: Element, out: string[]): void {
  out.push('<', localName)
  for (let at = 0; at < pairs.length; at += 2)
    out.push(' ', pairs[at] ?? '', '="', escaped(pairs[at + 1] ?? '', 'attribute'), '"')
  out.push('>')
}

function escaped(text: string, place: 'text' | 'attribute' = 'text'): string {
  if (!/[&<>"\xA0]/.test(text)) return text
  const plain = text.replaceAll('&', '&amp;').replaceAll('\xA0', '&nbsp;')
  return place === 'attribute' ? plain.replaceAll('"', '&quot;') : plain.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
