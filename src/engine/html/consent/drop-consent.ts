import { classOf, type Element, elementsIn, oneLine } from '../dom/dom.ts'
import { nameConsentManager } from './consent-managers.ts'

/** Names that home-made banners have, and chapters of privacy policies as well. */
const bannerName =
  /^(?:eu[-_])?(?:cookies?|gdpr|ccpa|consent|privacy)[-_]?(?:law[-_]?)?(?:banner|bar|notice|consent|popup|pop-up|modal|dialog|overlay|alert|message|disclaimer)(?:[-_](?:banner|bar|popup|modal|dialog|overlay|container|wrapper|box|root))?$/
/** Characters of the source text; a banner says little. */
const maxBanner = 3000

/**
 * Removes the banners that ask for consent: those of consent managers, and others that are named so and hold an answer. A
 * banner that the caller picked stays.
 */
export function dropConsentBanners(body: Element, picked: readonly Element[]): void {
  const named = namesSeen()
  const asked = picked.filter(named)
  for (const element of elementsIn(body)) {
    const kind = named(element)
    if (!kind || !body.contains(element) || asked.some((banner) => banner.contains(element))) continue
    if ((kind === 'manager' || isBanner(element)) && !holdsPage(element)) element.remove()
  }
}

/** What names of elements say; they come again and again, so each is read once. */
function namesSeen(): (element: Element) => 'manager' | 'banner' | undefined {
  const seen = new Map<string, 'manager' | 'banner' | undefined>()
  const read = (names: string) => {
    if (!seen.has(names)) seen.set(names, kindOf(names.toLowerCase().split(/\s+/)))
    return seen.get(names)
  }
  return (element) => {
    const id = element.getAttribute('id')
    return read(classOf(element)) ?? (id ? read(id) : undefined) ?? read(element.localName)
  }
}

function kindOf(words: readonly string[]): 'manager' | 'banner' | undefined {
  if (nameConsentManager(words)) return 'manager'
  return words.some((word) => bannerName.test(word)) ? 'banner' : undefined
}

const holdsPage = (element: Element) =>
  elementsIn(element).some(({ localName }) => /^(?:main|article)$/.test(localName))

function isBanner(element: Element): boolean {
  const text = element.textContent
  return (
    text.length <= maxBanner &&
    /cookie|consent|privacy|gdpr|datenschutz/i.test(text) &&
    elementsIn(element).some(isAnswer)
  )
}

const answer =
  /^(?:i |yes,? )?(?:accept|agree|allow|consent|reject|decline|refuse|deny|got it|ok(?:ay)?|understood|dismiss|only necessary|necessary only|akzeptieren|alle akzeptieren|zustimmen|ablehnen|einverstanden|verstanden|accepter|tout accepter|refuser|j.accepte|aceptar|rechazar|accett[ao]|rifiuta|aceitar|rejeitar|accepteren|weigeren|godkänn|acceptera|tillad|hyväksy|akceptuję?|zgadzam|odrzuć|souhlasím|принять|согласен|同意|接受|拒绝|동의)/i

function isAnswer(element: Element): boolean {
  const { localName } = element
  if (localName === 'input') return answer.test(element.getAttribute('value')?.trim() ?? '')
  const isControl = localName === 'button' || localName === 'a' || element.getAttribute('role') === 'button'
  return isControl && answer.test(oneLine(element.textContent))
}
