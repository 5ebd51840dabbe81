/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: whether a text, or the element of a ref, can be seen. */
export function says(tools: PageTools, text: string): boolean {
  if (/^e\d+$/.test(text)) {
    const element = tools.elementOf(Number(text.slice(1)))
    return element !== undefined && tools.isShown(element)
  }
  const sought = tools.clean(text).toLowerCase()
  return saysIn(document)

  function saysIn(root: Document | ShadowRoot): boolean {
    const body = (root as Document).body ?? (root as ShadowRoot)
    const whole = (body as HTMLElement).innerText ?? body.textContent ?? ''
    if (tools.clean(whole).toLowerCase().includes(sought)) return true
    return Array.from(root.querySelectorAll('*')).some((each) => {
      const inner =
        each.shadowRoot ?? (/^i?frame$/.test(each.localName) ? (each as HTMLIFrameElement).contentDocument : null)
      return inner !== null && saysIn(inner)
    })
  }
}
