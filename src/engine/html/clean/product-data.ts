import { type Element, oneLine } from '../dom.ts'
import { emptyDocument } from '../parse.ts'
import type { Survey } from '../survey.ts'

const minDescription = 60
/** A page that shows this share of the description's phrases shows the description. */
const shownShare = 0.5

/** Adds the description a shop gives in its structured data (JSON-LD) where the page itself shows it only with a script. */
export function addProductDescription(root: Element, survey: Survey): void {
  const description = survey
    .named('script')
    .filter((script) => script.getAttribute('type') === 'application/ld+json')
    .map((script) => productDescription(parsed(script.textContent)))
    .find((text) => text !== undefined)
  const text = description && plainText(description)
  if (!text || text.length < minDescription || shows(root, text)) return
  const paragraph = root.ownerDocument.createElement('p')
  paragraph.textContent = text
  root.append(paragraph)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Looks in lists and graphs, but no deeper than pages write them. */
function productDescription(data: unknown, depth = 0): string | undefined {
  if (typeof data !== 'object' || data === null || depth > 3) return undefined
  if (Array.isArray(data)) return firstOf(data, depth)
  const { '@type': type, '@graph': graph, mainEntity, description } = data as Record<string, unknown>
  const isProduct = [type].flat().some((name) => name === 'Product' || name === 'ProductGroup')
  if (isProduct) return typeof description === 'string' ? description : undefined
  return firstOf([graph, mainEntity], depth)
}

function firstOf(list: readonly unknown[], depth: number): string | undefined {
  for (const item of list.slice(0, 100)) {
    const found = productDescription(item, depth + 1)
    if (found) return found
  }
  return undefined
}

/** Shops put markup into the description, sometimes escaped. */
function plainText(description: string): string {
  const box = emptyDocument().body
  box.innerHTML = description.slice(0, 20_000).replace(/<[^>]*>/g, ' ')
  return oneLine(box.textContent.replace(/<[^<>]*>/g, ' '))
}

function shows(root: Element, text: string): boolean {
  const page = ` ${wordsOf(root.textContent.slice(0, 200_000)).join(' ')} `
  const words = wordsOf(text).slice(0, 200)
  const phrases = words.slice(3).map((_, i) => words.slice(i, i + 4).join(' '))
  return phrases.filter((phrase) => page.includes(` ${phrase} `)).length >= shownShare * phrases.length
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
