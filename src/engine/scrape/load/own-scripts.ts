/** Also what never ends, without the second group, so that it is searched for an end once. */
const scriptTag = /<script\b([^>]*)(?:>([^<]{0,2000}))?/gi
const dataType =
  /(?<![-\w])type\s*=\s*["']?(?!(?:text|application)\/(?:javascript|ecmascript|babel|typescript)|module)[^"'\s>]/i
const sourceOf = /(?<![-\w])src\s*=\s*["']?([^"'\s>]+)/i
/** Counts visitors, shows advertising: the same wherever the visitor is. */
const tagManager = /\b(?:gtag|dataLayer|googletag|_gaq|_paq|fbq|hotjar|adsbygoogle)\b|google-analytics|googletagmanager/

/** Whether a page runs scripts that are its own: its site's, or code in the page that does more than to count visitors. */
export function hasOwnScripts(html: string, url: string): boolean {
  const site = hostOf(url, url)
  for (const [, attributes = '', code] of html.matchAll(scriptTag)) {
    if (code === undefined || dataType.test(attributes)) continue
    const source = sourceOf.exec(attributes)?.[1]
    if (source === undefined ? code.trim() !== '' && !tagManager.test(code) : isOf(site, hostOf(source, url)))
      return true
  }
  return false
}

const hostOf = (source: string, url: string) => (URL.parse(source, url)?.hostname ?? '').replace(/^www\./, '')

const isOf = (site: string, host: string) => host === site || host.endsWith(`.${site}`) || site.endsWith(`.${host}`)
