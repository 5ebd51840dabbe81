import type { Element } from '../dom.ts'
import { normaliseAdmonitions } from './admonitions.ts'
import { normaliseCode } from './code.ts'
import { normaliseEmbeds } from './embeds.ts'
import { normaliseFigures } from './figures.ts'
import { normaliseFootnotes } from './footnotes.ts'
import { normaliseImages } from './images.ts'
import { absolutiseLinks, narrowBlockLinks } from './links.ts'
import { bracketReadings, flattenHeadings, writeEmoji } from './inline.ts'
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
