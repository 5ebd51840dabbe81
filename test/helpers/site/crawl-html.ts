import { encodeAs } from './charsets.ts'
import { fillNames, type HtmlAnswer, type SiteLink } from './crawl-model.ts'

const sentence = 'The quiet harbour keeps its lights on while the last boats come in from the northern bank. '

/** Returns a page encoded as its header declares. */
export function renderPage(answer: HtmlAnswer, url: URL): { type: string; bytes: Uint8Array } {
  const { charset = 'utf-8' } = answer
  const text = fillNames(answer.shell ? shell(answer, url) : document(answer, url), url.origin)
  return { type: `text/html; charset=${charset}`, bytes: encodeAs(charset, text) }
}

/** Returns the unique title of the page at a URL. */
export const titleOf = (url: URL): string => `Page ${escape(decodeURI(url.pathname))}`

function document({ links, base, padBytes = 0, status }: HtmlAnswer, url: URL): string {
  const at = (place: SiteLink['place']) =>
    links
      .filter((link) => link.place === place)
      .map(anchor)
      .join('\n')
  const pad = `<p>${sentence.repeat(10)}</p>\n`
  const head = base === undefined ? '' : `<base href="${base}">`
  return `<!doctype html>
<html lang="en"><head>${head}<title>${titleOf(url)}</title></head>
<body><header><nav aria-label="Main">${at('nav')}</nav></header>
<main><h1>${titleOf(url)}</h1>
<p>${sentence.repeat(4)}This is what stands here, with status ${status}.</p>
<p>${sentence.repeat(4)}</p>
${pad.repeat(Math.ceil(padBytes / pad.length))}<ul>${at('main')}</ul></main>
<footer>${at('footer')}</footer></body></html>
`
}

const anchor = ({ href, rel, place }: SiteLink, at: number) => {
  const relation = rel === undefined ? '' : ` rel="${rel}"`
  const link = `<a href="${escape(href)}"${relation}>Way ${at + 1}</a>`
  return place === 'main' ? `<li>${link}</li>` : link
}

/** The script composes its links, so the text of the response contains none of their URLs. */
function shell({ links }: HtmlAnswer, url: URL): string {
  const paths = JSON.stringify(links.map(({ href }) => href.split('/')))
  return `<!doctype html>
<html lang="en"><head><title>${titleOf(url)}</title></head><body><div id="root"></div>
<script>
const root = document.getElementById('root')
root.innerHTML = '<h1>Written by a script</h1><p>${sentence.repeat(4)}</p>'
for (const parts of ${paths}) {
  const link = document.createElement('a')
  link.setAttribute('href', parts.join('/'))
  link.textContent = 'Way'
  root.append(link)
}
</script></body></html>
`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
