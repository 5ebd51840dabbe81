import { type Element, elementsIn } from '../dom/dom.ts'
import { normaliseAdmonitions, normaliseEmbeds, normaliseFigures } from './admonitions.ts'
import { normaliseCode } from './code.ts'
import { normaliseFootnotes } from './footnotes.ts'
import { normaliseImages } from './images.ts'
import { absolutiseLinks, bracketReadings, flattenHeadings, narrowBlockLinks, writeEmoji } from './links.ts'
import { joinTerms, normaliseSignatures, numberLists } from './lists.ts'
import { normaliseMath } from './math.ts'
import { normaliseTables } from './tables.ts'
import { viewOf } from './view.ts'

/** Makes every address in the content absolute. This is all that the `html` part needs. */
export function absolutise(root: Element, base: string): void {
  const view = viewOf(root, base)
  normaliseImages(view)
  absolutiseLinks(view)
}

/** Brings absolutised content into the few forms that the markdown writer knows. */
export function normalise(root: Element, base: string): void {
  const view = viewOf(root, base)
  normaliseMath(view)
  normaliseCode(view)
  normaliseAdmonitions(view)
  normaliseEmbeds(view)
  normaliseFootnotes(view)
  writeEmoji(view)
  narrowBlockLinks(view)
  normaliseFigures(view)
  flattenHeadings(view)
  bracketReadings(view)
  numberLists(view)
  joinTerms(view)
  normaliseSignatures(view)
  normaliseTables(view)
}

/** Removes attributes that run scripts (`onclick` and its kind). */
export function dropHandlers(root: Element): void {
  for (const element of elementsIn(root))
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name)
}
