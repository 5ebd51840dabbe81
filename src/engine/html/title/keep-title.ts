import { type DomNode, type Element, elementsIn, isText, rename } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import { holdsMoreThan, maxLineNodes } from '../tidy/size.ts'
import { type PageTitle, sameWords } from './page-title.ts'

/** Elements at the beginning of the content among which the title may stand under another name. */
const maxLead = 40

/**
 * Makes the title the one h1 of the content: where it stands, else at the beginning. All other text stays as it is, but a block
 * directly before or after the title that says the same and nothing else.
 */
export function keepTitle(root: Element, { heading, words }: PageTitle): void {
  const own = root.contains(heading) ? heading : (promoted(root, words) ?? inserted(root, heading))
  for (const other of elementsIn(root)) if (other.localName === 'h1' && other !== own) rename(other, 'h2')
  for (const side of sides) blockBeside(own, words, side, root)?.remove()
}

const sides = ['previousSibling', 'nextSibling'] as const

/** The block with the next words before or after the title, if these are the title again and nothing else. */
function blockBeside(own: Element, words: string, side: (typeof sides)[number], root: Element): Element | undefined {
  const text = nextWords(own, side, root)
  let found: Element | undefined
  for (let up = text?.parentNode; up && up !== root && !up.contains(own); up = up.parentNode) {
    if (holdsMoreThan(up, maxLineNodes, 2 * words.length + 80) || sameWords(up.textContent) !== words) break
    if (!elementsIn(up).some(({ localName }) => localName === 'img') && !isPartOfText(up)) found = up
  }
  return found
}

/** The next text with letters or digits outside of an element. */
function nextWords(element: Element, side: (typeof sides)[number], root: Element): DomNode | undefined {
  const end = side === 'nextSibling' ? 'firstChild' : 'lastChild'
  let at: DomNode | null = element
  let isEntered = false
  while (at && at !== root) {
    const next: DomNode | null = (isEntered && at[end]) || at[side]
    if (next && isText(next) && sameWords(next.textContent) !== '') return next
    isEntered = next !== null
    at = next ?? at.parentNode
  }
  return undefined
}

/** A heading of another rank that says the same. */
function promoted(root: Element, words: string): Element | undefined {
  const lead = elementsIn(root).slice(0, maxLead)
  const found = lead.find((each) => /^h[1-6]$/.test(each.localName) && sameWords(each.textContent) === words)
  return found && rename(found, 'h1')
}

function inserted(root: Element, heading: Element): Element {
  root.prepend(heading)
  return heading
}
