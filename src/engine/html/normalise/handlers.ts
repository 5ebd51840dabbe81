import { type Element, elementsIn } from '../dom.ts'

/** Removes attributes that run scripts (`onclick` and its kind). */
export function dropHandlers(root: Element): void {
  for (const element of elementsIn(root))
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name)
}
