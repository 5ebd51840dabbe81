import { describe } from '../dom/roles-and-names.ts'
import { everyElement, refOf } from '../dom/tree.ts'

const maxElements = 5000
const maxTold = 3

let places = new WeakMap<Element, DOMRect>()
let scrolled = ''

/** Describes elements that moved by themselves since the last call; none if the page was scrolled. */
export function movesSinceLastLook(): string[] {
  const before = places
  const isScrolled = scrolled !== `${scrollX},${scrollY}`
  scrolled = `${scrollX},${scrollY}`
  places = new WeakMap()
  const moves = new Map<Element | null, string>()
  const told: string[] = []
  for (const element of everyElement(document, '*', maxElements)) {
    const box = element.getBoundingClientRect()
    const was = before.get(element)
    places.set(element, box)
    const isDrawn = was !== undefined && box.width > 0 && box.height > 0 && was.width > 0
    const move = isDrawn ? `${Math.round(box.x - was.x)}, ${Math.round(box.y - was.y)} px` : ''
    if (isScrolled || move === '' || move === '0, 0 px') continue
    moves.set(element, move)
    if (moves.get(element.parentElement) !== move) told.push(`${describe(element)} (e${refOf(element)}) by ${move}`)
  }
  return told.slice(0, maxTold)
}
