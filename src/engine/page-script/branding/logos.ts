export type RawIcon = { href: string; rel: string; sizes: string; type: string }
export type RawFacts = {
  url: string
  siteName: string
  viewport: { width: number; height: number }
  themeColor: string
  icons: RawIcon[]
  ogImage: string
  jsonLd: string[]
}

/** Calls the prototype's method, because an image named `querySelectorAll` would shadow the document's. */
function queryAll<E extends Element>(selector: string, max: number): E[] {
  const { querySelectorAll } = Document.prototype
  return Array.from(querySelectorAll.call<Document, [string], NodeListOf<E>>(document, selector)).slice(0, max)
}

function metaContent(name: string): string {
  const [meta] = queryAll<HTMLMetaElement>(`meta[property='${name}'],meta[name='${name}']`, 1)
  return (meta?.content ?? '').slice(0, 2000)
}

function absoluteUrl(href: string): string {
  return href !== '' && URL.canParse(href, document.baseURI) ? new URL(href, document.baseURI).href : ''
}

function themeColor(): string {
  const metas = queryAll<HTMLMetaElement>('meta[name=theme-color]', 4)
  const fitting = metas.find(({ media }) => media === '' || matchMedia(media).matches)
  return (fitting?.content ?? '').slice(0, 60)
}

export function pageFacts(): RawFacts {
  return {
    url: location.href.slice(0, 2000),
    siteName: (metaContent('og:site_name') || metaContent('application-name')).slice(0, 100),
    viewport: { width: innerWidth, height: innerHeight },
    themeColor: themeColor(),
    icons: queryAll<HTMLLinkElement>('link[rel~=icon i],link[rel^=apple-touch-icon i]', 20).map((link) => ({
      href: absoluteUrl(link.getAttribute('href') ?? ''),
      rel: link.rel.slice(0, 60),
      sizes: (link.getAttribute('sizes') ?? '').slice(0, 60),
      type: link.type.slice(0, 60),
    })),
    ogImage: absoluteUrl(metaContent('og:image') || metaContent('twitter:image')),
    jsonLd: queryAll<HTMLScriptElement>("script[type='application/ld+json']", 10)
      .map((script) => script.text)
      .filter((text) => text.length < 100_000 && text.includes('"logo"')),
  }
}

/** Returns computed custom properties of the root and the body whose names state a role, such as `--color-primary`. */
export function styleVariables(maxVariables: number): [name: string, value: string][] {
  const role =
    /(?:^|-)(?:primary|brand|main|secondary|accent|success|positive|warning|warn|caution|error|danger|negative|destructive)(?:-|$)/i
  const found: [string, string][] = []
  for (const element of Document.prototype.querySelectorAll.call(document, ':root,:root>body'))
    for (const [name, values] of element.computedStyleMap()) {
      if (!name.startsWith('--') || !role.test(name)) continue
      const value = Array.from(values)[0]?.toString().trim() ?? ''
      if (value !== '' && value.length <= 80) found.push([name, value])
    }
  return found.slice(0, maxVariables)
}

export type RawLogo = {
  kind: 'img' | 'svg' | 'background'
  src: string
  /** Left, top, width, height on the page, CSS pixels. */
  box: readonly [number, number, number, number]
  /**
   * End of the URL, then classes, ids, alternative texts, labels and titles of the element and its three nearest
   * ancestors.
   */
  hint: string
  name: string
  link: 'home' | 'other' | 'none'
  place: 'header' | 'footer' | 'main' | 'other'
}
let candidates: Element[] = []

/** Returns images that may be the logo. Their elements are stored for `svgOfLogo`. */
export function logoCandidates(maxCandidates: number): RawLogo[] {
  const selector = "img,svg,[class*='logo' i],[id*='logo' i],header a,[role=banner] a"
  const elements = Document.prototype.querySelectorAll.call(document, selector)
  const found: { element: Element; raw: RawLogo }[] = []
  for (const element of Array.from(elements).slice(0, 8 * maxCandidates)) {
    if (found.length === maxCandidates) break
    if (element.parentElement?.closest('svg')) continue
    const raw = logoOf(element)
    if (raw) found.push({ element, raw })
  }
  candidates = found.map(({ element }) => element)
  return found.map(({ raw }) => raw)
}

function logoOf(element: Element): RawLogo | undefined {
  const { left, top, width, height } = element.getBoundingClientRect()
  const style = getComputedStyle(element)
  if (width < 8 || height < 8 || top + scrollY > 5000 || style.visibility !== 'visible') return undefined
  const kind = element.localName === 'img' || element.localName === 'svg' ? element.localName : 'background'
  const src = sourceOf(element, style)
  if (kind !== 'svg' && (src === '' || src.length > 40_000)) return undefined
  const box = [left + scrollX, top + scrollY, width, height] as const
  const hint = `${src.startsWith('data:') ? '' : src.slice(-80)} ${hintsAround(element)}`
  return { kind, src, box, hint, name: nameOf(element), link: linkOf(element), place: placeOf(element) }
}

function sourceOf(element: Element, style: CSSStyleDeclaration): string {
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src
  return /^url\("([^"]+)"\)/.exec(style.backgroundImage)?.[1] ?? ''
}

function nameOf(element: Element): string {
  const named = element.getAttribute('alt') ?? element.getAttribute('aria-label') ?? element.querySelector('title')
  return (typeof named === 'string' ? named : (named?.textContent ?? '')).slice(0, 100)
}

function hintsAround(element: Element): string {
  const names: string[] = []
  for (let at: Element | null = element, up = 0; at && up < 4; at = at.parentElement, up++)
    for (const attribute of ['class', 'id', 'alt', 'aria-label', 'title'])
      names.push((at.getAttribute(attribute) ?? '').slice(0, 60))
  return names.filter(Boolean).join(' ')
}

function linkOf(element: Element): RawLogo['link'] {
  const link = element.closest<HTMLAnchorElement>('a[href]')
  if (!link) return 'none'
  const url = URL.canParse(link.href) ? new URL(link.href) : undefined
  const isHome =
    url?.origin === location.origin && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?|index\.\w+|home)?$/i.test(url.pathname)
  return isHome ? 'home' : 'other'
}

function placeOf(element: Element): RawLogo['place'] {
  const landmarks = 'header,nav,[role=banner],[class*=header i],[class*=navbar i],main,footer,article'
  const tag = element.closest(landmarks)?.localName
  if (tag === undefined) return 'other'
  return tag === 'main' || tag === 'article' ? 'main' : tag === 'footer' ? 'footer' : 'header'
}

/** Returns a logo candidate as an SVG with its computed colours and inlined symbols; undefined if too large. */
export function svgOfLogo(nth: number, maxChars: number): string | undefined {
  const maxParts = 400
  const original = candidates[nth]
  if (!original || original.getElementsByTagName('*').length > maxParts) return undefined
  const font = original.querySelector('text') ? ['font-family', 'font-size', 'font-weight'] : []
  const painted = ['color', 'fill', 'stroke', 'stroke-width', 'opacity', ...font]
  const { width, height } = original.getBoundingClientRect()
  const copy = original.cloneNode(true) as Element
  if (new XMLSerializer().serializeToString(copy).length > 4 * maxChars) return undefined
  const parts = partsOf(copy)
  partsOf(original).forEach((part, at) => paint(part, parts[at]))
  for (const use of copy.querySelectorAll('use')) inlineSymbol(use)
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

  /** Inlines a symbol, which is often defined elsewhere in the page. */
  function inlineSymbol(use: Element): void {
    const id = (use.getAttribute('href') ?? use.getAttribute('xlink:href') ?? '').replace(/^#/, '')
    const target = id === '' ? null : document.getElementById(id)
    if (!target || target.getElementsByTagName('*').length > maxParts || copy.querySelector(`#${CSS.escape(id)}`))
      return
    const definitions = document.createElementNS('http://www.w3.org/2000/svg', 'defs')
    definitions.append(target.cloneNode(true))
    copy.prepend(definitions)
  }
}

function clean(part: Element): void {
  for (const { name, value } of Array.from(part.attributes)) {
    const isExternal = /^(?:xlink:)?href$/.test(name) && !value.startsWith('#')
    if (isExternal || /^(?:on|class$|style$|data-|aria-)/i.test(name)) part.removeAttribute(name)
  }
}

const partsOf = (root: Element) => [root, ...root.querySelectorAll('*')]
