import { classOf, type Element, elementsIn, oneLine } from '../dom/dom.ts'
import type { Measures } from './measure.ts'

const step =
  'next|previous|prev|older|newer|weiter|nächste|zurück|vorherige|suivante?|précédente?|siguiente|anterior|próxima|successiva|precedente|volgende|vorige|далее|назад|下一页|上一页|次へ|前へ|다음|이전'
const stepText = new RegExp(
  `^[«‹<←\\s]*(?:${step})(?: (?:page|pages|posts|entries|results|part|chapter|seite))?[»›>→\\s]*$`,
  'i',
)
const pagerName = /pag(?:er|ing|inat)|page-?(?:nav|links|numbers)|nav-links|wp-pagenavi/i

/** True for a link "Next" or "Previous" that leads to another page. */
export function isStep(element: Element): boolean {
  const href = element.localName === 'a' ? element.getAttribute('href')?.trim() : undefined
  return !!href && !/^(?:#|javascript:)/i.test(href) && stepText.test(oneLine(element.textContent))
}

/**
 * Removes an element that is navigation, unless it is a pager: of that the links to the next and the previous page of a text
 * or a list in parts are left. Pagers stand above and below, so links that lead where earlier ones lead are not kept.
 */
export function removeButSteps(element: Element, measures: Measures, kept: readonly Element[]): 'pager' | 'removed' {
  const all = stepsIn(element)
  const known = new Set(all.length > 0 ? kept.flatMap(elementsIn).map(addressOf) : [])
  const steps = all.filter((link) => !known.has(addressOf(link)))
  if (steps.length === 0) {
    measures.remove(element)
    return 'removed'
  }
  for (const name of ['class', 'id', 'role']) element.removeAttribute(name)
  for (const inner of elementsIn(element)) {
    const isOn = steps.some((link) => inner.contains(link) || link.contains(inner))
    if (!isOn && element.contains(inner)) measures.remove(inner)
  }
  return 'pager'
}

function stepsIn(element: Element): Element[] {
  if (/^(?:header|footer|aside)$/.test(element.localName)) return []
  const steps = elementsIn(element).filter(isStep)
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''} ${element.getAttribute('aria-label') ?? ''}`
  return pagerName.test(names) || steps.some((link) => link.hasAttribute('rel')) ? steps : []
}

const addressOf = (link: Element) => link.getAttribute('href')
