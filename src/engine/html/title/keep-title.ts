import { type Element, elementsIn, oneLine, rename } from '../dom/dom.ts'
import { createElement } from '../dom/node.ts'
import { isPartOfText, withoutPartsOfText } from '../dom/part-of-text.ts'
import { type PageTitle, sameWords } from './page-title.ts'

/** Elements at the beginning of the content among which the title may stand under another name. */
const maxLead = 40
const line = /^(?:h[1-6]|p|div|span|strong|b|a|li|header)$/

/** Makes the title the one h1 of the content: where it stands, else at the beginning, with author and date as one line below. */
export function keepTitle(root: Element, title: PageTitle): void {
  const all = elementsIn(root)
  const same = all.filter((element) => element.localName === 'h1' && sameWords(element.textContent) === title.words)
  const own = same[0] ?? promoted(all.slice(0, maxLead), title) ?? inserted(root, title)
  for (const other of all) {
    if (other.localName !== 'h1' || other === own || !root.contains(other)) continue
    const words = sameWords(other.textContent)
    if (words === title.words || title.siteNames.has(words)) other.remove()
    else rename(other, 'h2')
  }
  dropLinesAbove(root, own, title.words)
  dropLineBelow(root, own, title.words)
  if (title.lead !== undefined) keepLead(root, own, title.lead)
  joinByline(root, own, title.byline)
}

/** A heading of another rank, or a line, that says the same. */
function promoted(lead: readonly Element[], { words }: PageTitle): Element | undefined {
  const found = lead.filter((element) => line.test(element.localName) && isWhole(element, words))
  const named = found.find(({ localName }) => /^h[2-6]$/.test(localName)) ?? found[0]
  return named && rename(named, 'h1')
}

function inserted(root: Element, { heading }: PageTitle): Element {
  root.prepend(heading)
  return heading
}

/** Signs and spaces come on top of the letters. */
const isShort = (element: Element, words: string) => {
  const { length } = element.textContent
  return length >= words.length && length < 2 * words.length + 80
}

/** A block that says these words and no others. */
const isWhole = (element: Element, words: string) =>
  isShort(element, words) && sameWords(element.textContent) === words && !isPartOfText(element)

/** The last step of a breadcrumb, or the title of a player: the title again, before itself. */
function dropLinesAbove(root: Element, own: Element, words: string): void {
  for (const element of elementsIn(root).slice(0, maxLead)) {
    if (element === own) return
    if (!element.contains(own) && isWhole(element, words)) element.remove()
  }
}

/** A subtitle, or the name of a product, that only says the title again. */
function dropLineBelow(root: Element, own: Element, words: string): void {
  const all = elementsIn(root)
  const near = all.slice(all.indexOf(own) + 1).filter((element) => !own.contains(element))
  const next = near.slice(0, maxBelow).find((element) => line.test(element.localName) && isShort(element, words))
  if (next && isWhole(next, words) && !holdsPicture(next)) next.remove()
}

const maxBelow = 8
const holdsPicture = (element: Element) => elementsIn(element).some(({ localName }) => localName === 'img')

/** Puts the lead under the title where the content lacks it. */
function keepLead(root: Element, own: Element, lead: string): void {
  if (sameWords(root.textContent).includes(sameWords(lead))) return
  const paragraph = createElement('p')
  paragraph.append(lead)
  own.after(paragraph)
}

function joinByline(root: Element, own: Element, parts: readonly string[]): void {
  if (parts.length === 0) return
  const all = elementsIn(root)
  const near = all.slice(all.indexOf(own) + 1, all.indexOf(own) + maxLead)
  const said = near.filter((element) => {
    const words = element.textContent.length < 200 ? oneLine(element.textContent) : ''
    return words !== '' && !own.contains(element) && isMadeOf(words, parts)
  })
  for (const element of withoutPartsOfText(said)) element.remove()
  const joined = createElement('p')
  joined.append(parts.join(' · '))
  own.after(joined)
}

/** True for one of the parts, or for some of them in a row. */
function isMadeOf(words: string, parts: readonly string[]): boolean {
  let rest = words
  for (const part of parts) rest = rest.replace(part, ' ')
  return rest.length < words.length && /^[\s|·•,–—-]*$/.test(rest)
}
