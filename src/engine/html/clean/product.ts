import { type Element, elementsIn } from '../dom.ts'
import type { ProductFacts } from './product-data.ts'

const minDescription = 60
/** A page that shows this share of the description's phrases shows the description. */
const shownShare = 0.5
/** A product page with less text (in characters) shows its facts with a script. */
const thin = 600
const anyPrice = /[$€£¥₹₩₽₺฿₫]\s?\d|\d\s?(?:[€£¥₹₽₺₫]|kr\b|zł|USD|EUR|GBP|CHF|AUD|CAD)/

/** Adds to a product page what its structured data says and the page itself shows only with a script. */
export function addProductFacts(root: Element, facts: ProductFacts): void {
  const text = root.textContent
  const make = (name: string, words: string) => {
    const element = root.ownerDocument.createElement(name)
    element.textContent = words
    return element
  }
  if (facts.description && facts.description.length >= minDescription && !shows(text, facts.description))
    root.append(make('p', facts.description))
  const title = elementsIn(root).find((element) => element.localName === 'h1')
  const lines = missingFacts(text, facts).map((line) => make('li', line))
  if (lines.length > 0) {
    const list = make('ul', '')
    list.append(...lines)
    if (title) title.after(list)
    else root.prepend(list)
  }
  if (!title && facts.name && !names(text, facts.name)) root.prepend(make('h1', facts.name))
}

function missingFacts(text: string, { price, availability, brand }: ProductFacts): string[] {
  const isThin = text.trim().length < thin
  const says = (words: string) => text.toLowerCase().includes(words.toLowerCase())
  return [
    ...(price && !anyPrice.test(text) ? [`Price: ${price}`] : []),
    ...(isThin && availability && !says(availability) ? [`Availability: ${availability}`] : []),
    ...(isThin && brand && !says(brand) ? [`Brand: ${brand}`] : []),
  ]
}

/** Pages and data spell a name differently; most of its words are enough. */
function names(page: string, name: string): boolean {
  const shown = new Set(wordsOf(page))
  const words = wordsOf(name)
  return words.filter((word) => shown.has(word)).length >= 0.6 * words.length
}

function shows(page: string, text: string): boolean {
  const shown = ` ${wordsOf(page.slice(0, 200_000)).join(' ')} `
  const words = wordsOf(text).slice(0, 200)
  const phrases = words.slice(3).map((_, i) => words.slice(i, i + 4).join(' '))
  return phrases.filter((phrase) => shown.includes(` ${phrase} `)).length >= shownShare * phrases.length
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
