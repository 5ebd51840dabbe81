import { clean, textOf } from '../dom/element-text.ts'
import { isShown } from '../dom/sight.ts'
import { isElement, parentOf } from '../dom/tree.ts'

const liveRegion = 'output,[role=alert],[role=status],[role=log],[aria-live]:not([aria-live=off])'
const reflecting = ['class', 'style', 'hidden', 'open', 'aria-hidden']
const [maxCharacters, maxNotices, maxNodes] = [200, 3, 300]

const seen = new Map<Element, string>()
let nodesLeft = 0
const observer = new MutationObserver((records) => {
  for (const { type, target, addedNodes } of records)
    for (const node of type === 'childList' ? addedNodes : [target]) if (nodesLeft-- > 0) record(node)
})

/** Stores the text of a node that is part of a notice: a live region, or something fixed above the page. */
function record(node: Node): void {
  const element = isElement(node) ? node : node.parentElement
  if (!element?.isConnected || !isShown(element) || !isNotice(element)) return
  const text = clean(textOf(element, maxCharacters))
  if (text !== '') seen.set(element, text)
}

function isNotice(element: Element): boolean {
  for (let at: Node | null = element; at; at = parentOf(at))
    if (isElement(at) && (at.matches(liveRegion) || getComputedStyle(at).position === 'fixed')) return true
  return false
}

/** Watches for notices until they are taken. */
export function watchNotices(): void {
  nodesLeft = maxNodes
  const what = { subtree: true, childList: true, characterData: true, attributeFilter: reflecting }
  observer.observe(document, what)
}

/** Returns the texts of notices that appeared and are gone already, and stops watching. */
export function takeNotices(): string[] {
  observer.disconnect()
  const gone = Array.from(seen).flatMap(([element, text]) => {
    const isThere = element.isConnected && isShown(element) && clean(textOf(element, maxCharacters)) === text
    return isThere ? [] : text
  })
  seen.clear()
  if (gone.length === 0) return []
  const page = clean(document.body?.innerText ?? '')
  return [...new Set(gone)].filter((text) => !page.includes(text)).slice(-maxNotices)
}
