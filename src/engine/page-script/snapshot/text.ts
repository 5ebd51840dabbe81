import type { PageTools } from './tools.ts'

/// <reference lib="dom" />

/** Runs in the page: texts and addresses as short as they may be. */
export function addTexts(tools: PageTools): void {
  const mostText = 1200
  const around = 160

  tools.clean = (text) => (text ?? '').replace(/[\s\u00a0\u200b-\u200d\ufeff]+/g, ' ').trim()

  tools.cutText = (text) => {
    if (text.length <= mostText) return text
    const at = tools.sought === '' ? -1 : text.toLowerCase().indexOf(tools.sought)
    if (at < 0) return `${text.slice(0, mostText)}…`
    return `…${text.slice(Math.max(0, at - around), at + tools.sought.length + around)}…`
  }

  tools.shortUrl = (href) => {
    const url = URL.parse(href)
    if (!url || !/^https?:$/.test(url.protocol)) return /^(?:mailto|tel):/.test(href) ? href.slice(0, 60) : ''
    const isHere =
      url.origin === location.origin && url.pathname === location.pathname && url.search === location.search
    const path = isHere ? url.hash : url.pathname + url.search + url.hash
    const whole = url.origin === location.origin ? path : url.host + path
    return whole.length <= 60 ? whole : `${whole.slice(0, 58)}…`
  }
}

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: the text of an element as it is shown, and elements in a few words. */
export function addShownText(tools: PageTools): void {
  const { clean } = tools

  tools.textOf = (element, most) => {
    const texts: string[] = []
    let room = most
    collect(element)
    return clean(texts.join('')).slice(0, most)

    function collect(node: Node): void {
      for (const child of tools.childrenOf(node)) {
        if (room <= 0) return
        if (child.nodeType === Node.TEXT_NODE) add(child.nodeValue ?? '')
        else if (child.nodeType === Node.ELEMENT_NODE) inside(child as Element)
      }
    }

    function add(text: string): void {
      texts.push(text)
      room -= clean(text).length
    }

    function inside(child: Element): void {
      if (/^(?:script|style|template|noscript|select|textarea)$/.test(child.localName)) return
      if (child.getAttribute('aria-hidden') === 'true') return
      const { display, visibility } = getComputedStyle(child)
      if (display === 'none' || visibility === 'hidden') return
      const own = child.getAttribute('aria-label') ?? (child.localName === 'img' ? child.getAttribute('alt') : null)
      const isBlock = !display.startsWith('inline')
      if (isBlock) add(' ')
      if (own !== null) add(own)
      else if (child.localName === 'svg') add(child.querySelector(':scope > title')?.textContent ?? '')
      else collect(child)
      if (isBlock || display === 'inline-block') add(' ')
    }
  }

  tools.describe = (element) => {
    const role = tools.roleOf(element) || element.localName
    const name = tools.nameOf(element, role) || tools.textOf(element, 60)
    return name ? `${role} "${name.slice(0, 60)}"` : role
  }
}
