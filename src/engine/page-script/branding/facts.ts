export type RawIcon = { href: string; rel: string; sizes: string; type: string }
export type RawFacts = {
  url: string
  siteName: string
  viewport: { width: number; height: number }
  themeColor: string
  icons: RawIcon[]
  ogImage: string
  /** Blocks of JSON-LD that mention a logo. */
  jsonLd: string[]
}

/** Calls the method of the prototype: an image named `querySelectorAll` would shadow the document's. */
function queryAll<E extends Element>(selector: string, most: number): E[] {
  const { querySelectorAll } = Document.prototype
  return Array.from(querySelectorAll.call<Document, [string], NodeListOf<E>>(document, selector)).slice(0, most)
}

function metaContent(name: string): string {
  const [meta] = queryAll<HTMLMetaElement>(`meta[property='${name}'],meta[name='${name}']`, 1)
  return (meta?.content ?? '').slice(0, 2000)
}

function absoluteUrl(href: string): string {
  return href !== '' && URL.canParse(href, document.baseURI) ? new URL(href, document.baseURI).href : ''
}

/** The one for the current colour scheme. */
function themeColor(): string {
  const metas = queryAll<HTMLMetaElement>('meta[name=theme-color]', 4)
  const fitting = metas.find(({ media }) => media === '' || matchMedia(media).matches)
  return (fitting?.content ?? '').slice(0, 60)
}

/** What the page says of itself in its head. */
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

/** Computed custom properties of the root and the body whose names say what they are for, such as `--color-primary`. */
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
