/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Runs in the page, after `logoCandidates` in the same world: one of them as an svg that stands alone, with the paint
 * that the style sheets give it, what it uses from elsewhere, and nothing that runs. Undefined when it is too large.
 */
export function svgOfLogo(nth: number, maxChars: number): string | undefined {
  const maxParts = 400
  const { brandingLogos } = globalThis as { brandingLogos?: Element[] }
  const original = brandingLogos?.[nth]
  if (!original || original.getElementsByTagName('*').length > maxParts) return undefined
  const font = original.querySelector('text') ? ['font-family', 'font-size', 'font-weight'] : []
  const painted = ['color', 'fill', 'stroke', 'stroke-width', 'opacity', ...font]
  const { width, height } = original.getBoundingClientRect()
  const copy = original.cloneNode(true) as Element
  if (new XMLSerializer().serializeToString(copy).length > 4 * maxChars) return undefined
  const partsOf = (root: Element) => [root, ...root.querySelectorAll('*')]
  const parts = partsOf(copy)
  partsOf(original).forEach((part, at) => paint(part, parts[at]))
  for (const use of copy.querySelectorAll('use')) bringIn(use)
  for (const part of copy.querySelectorAll('script,style,foreignObject,image,animate,set')) part.remove()
  partsOf(copy).forEach(clean)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.round(width)))
  copy.setAttribute('height', String(Math.round(height)))
  const text = new XMLSerializer().serializeToString(copy)
  return text.length <= maxChars ? text : undefined

  function paint(from: Element, to: Element | undefined): void {
    const above = from === original ? null : from.parentElement
    const style = getComputedStyle(from)
    for (const name of painted) {
      const value = style.getPropertyValue(name)
      const inherited = name === 'opacity' ? '1' : above && getComputedStyle(above).getPropertyValue(name)
      if (value === inherited) to?.removeAttribute(name)
      else to?.setAttribute(name, value)
    }
  }

  /** Symbols are often kept in a sheet elsewhere in the page. */
  function bringIn(use: Element): void {
    const id = (use.getAttribute('href') ?? use.getAttribute('xlink:href') ?? '').replace(/^#/, '')
    const target = id === '' ? null : document.getElementById(id)
    if (!target || target.getElementsByTagName('*').length > maxParts || copy.querySelector(`#${CSS.escape(id)}`))
      return
    const definitions = document.createElementNS('http://www.w3.org/2000/svg', 'defs')
    definitions.append(target.cloneNode(true))
    copy.prepend(definitions)
  }

  function clean(part: Element): void {
    for (const { name, value } of Array.from(part.attributes)) {
      const leadsOut = /^(?:xlink:)?href$/.test(name) && !value.startsWith('#')
      if (leadsOut || /^(?:on|class$|style$|data-|aria-)/i.test(name)) part.removeAttribute(name)
    }
  }
}
