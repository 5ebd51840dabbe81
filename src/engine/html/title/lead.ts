import { classOf, closest, type Element, elementsIn, oneLine } from '../dom/dom.ts'
import type { ElementIndex } from '../dom/element-index.ts'

/** How many boxes around the title are looked at, and how many elements after it in each. */
const maxClimb = 5
const maxAfter = 6
/** Characters of a lead. */
const minLead = 40
const maxLead = 700
/** As many letters of the description in the meta tags make an element the lead. */
const sameStart = 40
/** A box with more text (characters) is the text itself. */
const maxBox = 1500

const named =
  /(?:^|[-_\s])(?:lead|lede|intro(?:duction|text)?|chapo|chapeau|teaser(?:-?text)?|standfirst|dek|deck|stand-?first|abstract|sub-?title|sub-?head(?:line|ing)?|summary|excerpt|bajada|copete|sapo|vorspann|anriss|entradilla|sottotitolo|occhiello|ingress|description|strapline|tagline)(?:$|[-_\s])/i
const noLead =
  /share|social|caption|byline|author|comment|related|newsletter|breadcrumb|meta(?:$|[-_\s])|tags?(?:$|[-_\s])/i
const block = /^(?:p|div|ul|ol|table|section|article|h[1-6]|figure|form)$/

/** The paragraph that stands between the title of an article and its text; undefined where there is none. */
export function leadBeside(title: Element, elements: ElementIndex): string | undefined {
  const described = descriptionOf(elements)
  let box: Element | null = title
  for (
    let climb = 0;
    box && climb < maxClimb && !/^(?:body|main)$/.test(box.localName);
    climb++, box = box.parentNode
  ) {
    let next = box.nextElementSibling
    for (let seen = 0; next && seen < maxAfter; seen++, next = next.nextElementSibling) {
      const found = next.textContent.length > maxBox ? undefined : leadIn(next, title, described)
      if (found) return found
    }
  }
  return undefined
}

function leadIn(box: Element, title: Element, described: string): string | undefined {
  for (const element of [box, ...elementsIn(box)]) {
    if (!/^(?:p|div|h[2-5]|span|strong|section)$/.test(element.localName)) continue
    const words = oneLine(element.textContent)
    if (words.length < minLead || words.length > maxLead || !isOneParagraph(element)) continue
    if (noLead.test(classOf(element))) continue
    if (startsLike(words, described) || isNamed(element, box) || isSentenceInHeader(element, title, words)) return words
  }
  return undefined
}

function isNamed(element: Element, box: Element): boolean {
  for (let up: Element | null = element; up; up = up.parentNode) {
    if (named.test(classOf(up))) return true
    if (up === box) return false
  }
  return false
}

const sentence = /[.!?…]["”»“]?$/

function isSentenceInHeader(element: Element, title: Element, words: string): boolean {
  if (!sentence.test(words) || words.length < 2 * minLead) return false
  const header = closest(element, ({ localName }) => localName === 'header', 8)
  return header !== undefined && header.contains(title)
}

/** No boxes of text beside each other, and no list of links. */
function isOneParagraph(element: Element): boolean {
  const inner = elementsIn(element)
  const boxes = inner.filter((each) => block.test(each.localName) && each.textContent.trim() !== '')
  const links = inner.filter(({ localName }) => localName === 'a')
  const linked = links.reduce((sum, link) => sum + link.textContent.length, 0)
  return boxes.length === 0 && linked <= 0.4 * element.textContent.length
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function startsLike(words: string, described: string): boolean {
  return described !== '' && letters(words).startsWith(described)
}

function descriptionOf(elements: ElementIndex): string {
  const metas = elements
    .named('meta')
    .filter((meta) =>
      /^(?:og:|twitter:)?description$/i.test(meta.getAttribute('property') ?? meta.getAttribute('name') ?? ''),
    )
  const said = letters(
    metas.map((meta) => meta.getAttribute('content') ?? '').find((each) => each.length >= minLead) ?? '',
  )
  return said.length >= sameStart ? said.slice(0, sameStart) : ''
}
