import { type Element, closest, elementsIn, oneLine } from '../dom.ts'
import type { Node } from './node.ts'

/** How a vocabulary is written into elements: microdata (HTML standard, 5) or RDFa Lite. */
type Dialect = { type: string; property: string; opens(element: Element): boolean; types: RegExp }

const microdata: Dialect = {
  type: 'itemtype',
  property: 'itemprop',
  opens: (element) => element.hasAttribute('itemscope'),
  types: /schema\.org\/(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)\b/i,
}
const rdfa: Dialect = {
  type: 'typeof',
  property: 'property',
  opens: (element) => element.hasAttribute('typeof'),
  types: /(?:^|[\s/:])(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)(?:$|\s)/,
}

const maxDepth = 8
const maxProperties = 2000
const maxText = 20_000

/** The products that elements of the page describe, outermost only, in the form of JSON-LD. */
export function markedUpProducts(body: Element): Node[] {
  const all = elementsIn(body)
  return [microdata, rdfa].flatMap((dialect) => {
    const scopes = all.filter((element) => dialect.types.test(element.getAttribute(dialect.type) ?? ''))
    const budget = { left: maxProperties }
    return scopes
      .filter((scope) => !isPartOfAnother(scope, dialect))
      .slice(0, 50)
      .map((scope) => nodeOf(scope, dialect, budget, 0))
  })
}

/** A product within another, or in a list of them, is not what the page is about. */
function isPartOfAnother(scope: Element, { property, opens }: Dialect): boolean {
  const parent = scope.parentNode && closest(scope.parentNode, opens)
  const name = scope.getAttribute(property)
  return (
    parent !== null &&
    parent !== undefined &&
    name !== null &&
    !/(?:^|:|\s)(?:mainEntity|itemOffered|about)\b/.test(name)
  )
}

type Budget = { left: number }

function nodeOf(scope: Element, dialect: Dialect, budget: Budget, depth: number): Node {
  const fields = new Map<string, unknown[]>([['@type', (scope.getAttribute(dialect.type) ?? '').split(/\s+/)]])
  for (const element of propertiesOf(scope, dialect)) {
    if (budget.left-- <= 0) break
    const isThing = dialect.opens(element)
    if (isThing && depth >= maxDepth) continue
    const value = isThing ? nodeOf(element, dialect, budget, depth + 1) : valueOf(element)
    for (const name of namesIn(element.getAttribute(dialect.property)))
      fields.set(name, [...(fields.get(name) ?? []), value])
  }
  return Object.fromEntries(fields)
}

const namesIn = (names: string | null): string[] =>
  (names ?? '')
    .split(/\s+/)
    .map((name) => name.replace(/^.*[/:#]/, ''))
    .filter(Boolean)

/** Elements that name a property of this thing and not of one inside it. */
function propertiesOf(scope: Element, { property, opens }: Dialect): Element[] {
  const found: Element[] = []
  const open = [...scope.children].toReversed()
  for (let element = open.pop(); element; element = open.pop()) {
    if (element.hasAttribute(property)) found.push(element)
    if (!opens(element)) open.push(...[...element.children].toReversed())
  }
  return found
}

const addressed: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  source: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
  time: 'datetime',
}

function valueOf(element: Element): string {
  const attribute = addressed[element.localName]
  const written = element.getAttribute('content') ?? element.getAttribute('resource')
  const value = written ?? (attribute === undefined ? null : element.getAttribute(attribute))
  return value ?? oneLine(element.textContent.slice(0, maxText))
}
