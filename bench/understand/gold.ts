import { parseHTML } from 'linkedom'

/** Statements of a page in its JSON-LD: the truth for a reader of the rest of the page. */
export type Gold = {
  article?: Fields
  product?: Fields
  /** Questions whose answers the page shows, at most `maxQuestions` of them. */
  questions: { question: string; answer: string }[]
}
/** Acceptable values by the name of the field; if there are several authors, each of them is right. */
export type Fields = Record<string, readonly string[]>
type Node = Record<string, unknown>

const maxQuestions = 6
const minAnswer = 30
/** Characters of an answer's start that must be on the page for the answer to count as shown. */
const shownStart = 40
const script = /<script\b[^>]*\bld\+json\b[^>]*>([\s\S]*?)<\/script>/gi

export const withoutJsonLd = (html: string): string => html.replace(script, '')

export function goldOf(html: string): Gold {
  const nodes = [...html.matchAll(script)].flatMap(([, text = '']) => nodesIn(parsed(text)))
  const article = onlyOne(nodes, /(?:Article|BlogPosting)$/, 'headline')
  const product = onlyOne(nodes, /^(?:Product|ProductGroup)$/, 'name')
  return {
    ...(article && { article: articleIn(article, nodes) }),
    ...(product && { product: productIn(product) }),
    questions: questionsIn(nodes, html),
  }
}

export const saysNothing = ({ article, product, questions }: Gold): boolean =>
  article === undefined && product === undefined && questions.length === 0

/** Returns the node of a type; undefined if the page has several of them. */
function onlyOne(nodes: readonly Node[], type: RegExp, name: string): Node | undefined {
  const found = nodes.filter((node) => typed(node, type) && textOf(node[name]) !== '')
  return new Set(found.map((node) => textOf(node[name]))).size === 1 ? found[0] : undefined
}

function articleIn(article: Node, nodes: readonly Node[]): Fields {
  const authors = listOf(article['author']).map((author) => {
    const id = isNode(author) && author['name'] === undefined ? author['@id'] : undefined
    const named = id === undefined ? author : nodes.find((node) => node['@id'] === id && node['name'] !== undefined)
    return textOf(isNode(named) ? named['name'] : named)
  })
  return withoutEmpty({
    title: [textOf(article['headline']), textOf(article['name'])],
    author: authors,
    date: [dayOf(textOf(article['datePublished']))],
  })
}

function productIn(product: Node): Fields {
  const offers = [product, ...listOf(product['hasVariant']).filter(isNode)]
    .flatMap(({ offers: own }) => listOf(own))
    .filter(isNode)
    .flatMap((offer) => [offer, ...listOf(offer['offers']).filter(isNode)])
  const prices = offers
    .flatMap((offer) => [offer, ...listOf(offer['priceSpecification']).filter(isNode)])
    .flatMap(({ price, lowPrice }) => [textOf(price), textOf(lowPrice)])
  return withoutEmpty({ name: [textOf(product['name'])], price: prices })
}

function questionsIn(nodes: readonly Node[], html: string): Gold['questions'] {
  const asked = nodes.filter((node) => typed(node, /^Question$/))
  if (asked.length === 0) return []
  const { document } = parseHTML(html)
  for (const unread of document.querySelectorAll('script, style, noscript, template, svg')) unread.remove()
  const shown = flat(document.documentElement.textContent)
  return asked
    .flatMap(({ name, acceptedAnswer }) => {
      const [first] = listOf(acceptedAnswer).filter(isNode)
      const [question, answer] = [textOf(name), textOf(first?.['text'])]
      return question && answer.length > minAnswer ? [{ question, answer }] : []
    })
    .filter(({ answer }) => shown.includes(flat(answer.slice(0, shownStart))))
    .slice(0, maxQuestions)
}

const flat = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function parsed(text: string): unknown {
  try {
    // oxlint-disable-next-line no-control-regex -- pages break lines within strings
    return JSON.parse(text.replace(/[\0-\x1F]+/g, ' '))
  } catch {
    return undefined
  }
}

function nodesIn(value: unknown, depth = 0): Node[] {
  if (depth > 8) return []
  if (Array.isArray(value)) return value.flatMap((each) => nodesIn(each, depth + 1))
  return isNode(value) ? [value, ...Object.values(value).flatMap((each) => nodesIn(each, depth + 1))] : []
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => [value].flat()
const typed = (node: Node, type: RegExp) => listOf(node['@type']).some((name) => type.test(String(name)))

const decode = (text: string) =>
  parseHTML(`<p>${text.replace(/<[^<>]*>/g, ' ')}</p>`).document.querySelector('p')?.textContent ?? ''

/** Pages write markup and entities, even twice escaped, into their JSON-LD. */
function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return decode(decode(String(value)))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the day as written on the page, in any time zone. */
function dayOf(text: string): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  const at = new Date(`${text} UTC`)
  return day ?? (Number.isNaN(at.getTime()) ? text : at.toISOString().slice(0, 10))
}

const withoutEmpty = (fields: Record<string, readonly string[]>): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, values]) => [name, values.filter((value) => value !== '')] as const)
      .filter(([, values]) => values.length > 0),
  )
