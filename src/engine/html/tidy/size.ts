import { type DomNode, type Element, isText, nodeAfter } from '../dom/dom.ts'

/** Nodes of a line, and of a link around a picture or a cell that holds one. Larger boxes are neither, and to read one anew for each part of it would be quadratic. */
export const maxLineNodes = 80

/** Whether a box holds more nodes, or more characters of text; looks at no more than that. */
export function holdsMoreThan(box: Element, most: number, mostCharacters = Infinity): boolean {
  let [nodes, characters] = [0, 0]
  for (let at: DomNode | null = box.firstChild; at; at = at.firstChild ?? nodeAfter(at, box)) {
    if (isText(at)) characters += at.textContent.length
    if (++nodes > most || characters > mostCharacters) return true
  }
  return false
}
