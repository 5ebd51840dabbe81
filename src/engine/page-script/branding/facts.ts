export type RawIcon = { href: string; rel: string; sizes: string; type: string }
export type RawFacts = {
  url: string
  siteName: string
  viewport: { width: number; height: number }
  themeColor: string
  icons: RawIcon[]
  ogImage: string
  /** Blocks of JSON-LD that speak of a logo. */
  jsonLd: string[]
}

/** What it says of itself in its head and in its style variables. */
export function pageFacts(): RawFacts {
  const all = <E extends Element>(selector: string, most: number): E[] =>
    Array.from(Document.prototype.querySelectorAll.call<Document, [string], NodeListOf<E>>(document, selector)).slice(
      0,
      most,
    )
  const meta = (name: string) =>
    (all<HTMLMetaElement>(`meta[property='${name}'],meta[name='${name}']`, 1)[0]?.content ?? '').slice(0, 2000)
  const absolute = (href: string) =>
    href !== '' && URL.canParse(href, document.baseURI) ? new URL(href, document.baseURI).href : ''
  return {
    url: location.href.slice(0, 2000),
    siteName: (meta('og:site_name') || meta('application-name')).slice(0, 100),
    viewport: { width: innerWidth, height: innerHeight },
    themeColor: themeColor(),
    icons: all<HTMLLinkElement>('link[rel~=icon i],link[rel^=apple-touch-icon i]', 20).map((link) => ({
      href: absolute(link.getAttribute('href') ?? ''),
      rel: link.rel.slice(0, 60),
      sizes: (link.getAttribute('sizes') ?? '').slice(0, 60),
      type: link.type.slice(0, 60),
    })),
    ogImage: absolute(meta('og:image') || meta('twitter:image')),
    jsonLd: all<HTMLScriptElement>("script[type='application/ld+json']", 10)
      .map((script) => script.text)
      .filter((text) => text.length < 100_000 && text.includes('"logo"')),
  }

  /** The one for the scheme that is shown now. */
  function themeColor(): string {
    const metas = all<HTMLMetaElement>('meta[name=theme-color]', 4)
    const fits = metas.find(({ media }) => media === '' || matchMedia(media).matches)
    return (fits?.content ?? '').slice(0, 60)
  }
}
