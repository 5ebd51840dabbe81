import nthCheck from 'nth-check'
import { type Element, isElement } from './dom.ts'

/** How many siblings stand before and after an element: all, and those of its name. */
type Place = { before: number; after: number; alikeBefore: number; alikeAfter: number }

type Pseudos = Record<string, (element: Element, rule?: string | null) => boolean>

/**
 * The pseudo-classes that ask for the place of an element among its siblings. Each list of siblings is counted once;
 * css-select counts it anew for each element, which takes the square of its length. For one look through an unchanging tree.
 */
export function placePseudos(): Pseudos {
  const places = new WeakMap<Element, Place>()
  const placeOf = (element: Element): Place => {
    if (!places.has(element)) countSiblings(element, places)
    return places.get(element) ?? { before: 0, after: 0, alikeBefore: 0, alikeAfter: 0 }
  }
  const checks = new Map<string, (index: number) => boolean>()
  const isNth = (rule: string | null | undefined, index: number): boolean => {
    const text = rule ?? ''
    const check = checks.get(text) ?? nthCheck(text)
    checks.set(text, check)
    return check(index)
  }
  return {
    'nth-child': (element, rule) => isNth(rule, placeOf(element).before),
    'nth-last-child': (element, rule) => isNth(rule, placeOf(element).after),
    'nth-of-type': (element, rule) => isNth(rule, placeOf(element).alikeBefore),
    'nth-last-of-type': (element, rule) => isNth(rule, placeOf(element).alikeAfter),
    'first-child': (element) => placeOf(element).before === 0,
    'last-child': (element) => placeOf(element).after === 0,
    'first-of-type': (element) => placeOf(element).alikeBefore === 0,
    'last-of-type': (element) => placeOf(element).alikeAfter === 0,
    'only-of-type': (element) => placeOf(element).alikeBefore + placeOf(element).alikeAfter === 0,
  }
}

function countSiblings({ parentNode }: Element, places: WeakMap<Element, Place>): void {
  const siblings = parentNode?.childNodes.filter(isElement) ?? []
  const totals = new Map<string, number>()
  for (const [before, sibling] of siblings.entries()) {
    const alikeBefore = totals.get(sibling.localName) ?? 0
    totals.set(sibling.localName, alikeBefore + 1)
    places.set(sibling, { before, after: siblings.length - before - 1, alikeBefore, alikeAfter: 0 })
  }
  for (const sibling of siblings) {
    const place = places.get(sibling)
    if (place) place.alikeAfter = (totals.get(sibling.localName) ?? 0) - place.alikeBefore - 1
  }
}
