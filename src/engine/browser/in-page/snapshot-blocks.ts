/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: blocks of text, and all that they say. */
export function addBlocks(tools: PageTools): void {
  tools.attributesOf = (element) => {
    const { value, type } = element as HTMLInputElement
    const said = ['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '')
    const isOpen = typeof value === 'string' && type !== 'password' && element.localName !== 'button'
    return [...said, isOpen ? value : ''].join(' ').toLowerCase()
  }

  /** A row or an item tells more than the word in it. */
  tools.blockOf = (element) => {
    const whole =
      element.closest('tr,[role=row]') ?? element.closest('a,button,li,summary,[role=option],[role=menuitem]')
    if (whole && (whole.textContent?.length ?? 0) < 600) return whole
    const label = element.closest('label')
    if (label?.control) return label.control
    for (let at = element; ; at = at.parentElement)
      if (!at.parentElement || !getComputedStyle(at).display.startsWith('inline')) return at
  }

  tools.saysOf = (element) => {
    const labels = Array.from((element as HTMLInputElement).labels ?? [], ({ textContent }) => textContent)
    return `${tools.clean(`${element.textContent ?? ''} ${labels.join(' ')}`).toLowerCase()} ${tools.attributesOf(element)}`
  }

  /** Who looks for a heading looks for what stands under it. */
  tools.under = (element) => {
    const headings = 'h1,h2,h3,h4,[role=heading]'
    const title = element.closest(headings)
    const under: Element[] = []
    let at = title && wrapOf(title).nextElementSibling
    for (; at && under.length < 2 && !at.matches(headings); at = at.nextElementSibling) under.push(at)
    return under
  }

  /** A heading may stand in a box of its own, beside a mark that links to it. */
  function wrapOf(title: Element): Element {
    const markLength = 3
    const { parentElement: box } = title
    const isAlone = (box?.textContent ?? '').trim().length < (title.textContent ?? '').trim().length + markLength
    return box && isAlone && box !== document.body ? wrapOf(box) : title
  }
}
