import { createProse, type Prose } from './prose.ts'

/** A generated page, with the words that a good scrape contains and leaves out. */
export type Article = { name: string; html: string; wanted: readonly string[]; unwanted: readonly string[] }

/** Words that occur nowhere else, to detect lost parts of the page. */
const wanted = ['startmarkerqua', 'tablemarkerqua', 'codemarkerqua', 'middlemarkerqua', 'endmarkerqua'] as const
const unwanted = [
  'navmarkerzub',
  'cookiemarkerzub',
  'sidebarmarkerzub',
  'footermarkerzub',
  'scriptmarkerzub',
  'stylemarkerzub',
  'commentmarkerzub',
] as const
const [atStart, inTable, inCode, atMiddle, atEnd] = wanted
const [inNav, inCookieNotice, inSidebar, inFooter, inScript, inStyle, inComment] = unwanted

/** Size of the HTML in bytes, and links in the frame around the article. */
const sizes = [
  { name: '5kB', bytes: 5000, links: 6 },
  { name: '20kB', bytes: 20_000, links: 20 },
  { name: '65kB', bytes: 65_000, links: 60 },
]

/** Returns one article of each size, the same in every run. */
export const makeArticles = (): readonly Article[] =>
  sizes.map(({ name, bytes, links }, index) => {
    const prose = createProse(index + 1)
    const [before = '', after = ''] = frame(prose, links).split('<!--article-->')
    const html = `${before}${body(prose, bytes - before.length - after.length)}${after}`
    return { name, html, wanted, unwanted }
  })

/** Occurs once in each article, with the same length in each edition. */
const firstEdition = 'edition 00000000'
export const inEdition = (html: Buffer, edition: number): Buffer => {
  const changed = Buffer.from(html)
  changed.write(`edition ${String(edition).padStart(8, '0')}`, html.indexOf(firstEdition))
  return changed
}

/** Markers that a scrape lost or wrongly included; empty if it is correct. */
export function faultsOf(article: Article, text: string): string[] {
  const lost = article.wanted.filter((marker) => !text.includes(marker)).map((marker) => `lost ${marker}`)
  const leaked = article.unwanted.filter((marker) => text.includes(marker)).map((marker) => `holds ${marker}`)
  return [...lost, ...leaked]
}

/** An article of about `bytes` bytes whose last part is the end marker. */
function body(prose: Prose, bytes: number): string {
  const head = `<h1>${prose.heading()}</h1>\n<p>${prose.paragraph()} The record opens with ${atStart}, in ${firstEdition}.</p>\n`
  const firstTable = tableOf(prose, inTable)
  const firstCode = codeOf(prose, inCode)
  const middle = `<p>Half way through stands ${atMiddle}. ${prose.paragraph()}</p>\n`
  const end = `<p>${prose.paragraph()} The record closes with ${atEnd}.</p>\n`
  const fixed = [head, firstTable, firstCode, middle, end].join('').length
  const half = () => filler(prose, (bytes - fixed) / 2)
  return [head, firstTable, half(), middle, half(), firstCode, end].join('')
}

const meanSectionBytes = 700

/** Sections of about `bytes` bytes together. */
function filler(prose: Prose, bytes: number): string {
  let text = ''
  for (let section = 0; text.length < bytes - meanSectionBytes / 2; section++) text += sectionOf(prose, section)
  return text
}

/** Every fourth section shows something other than paragraphs. */
function sectionOf(prose: Prose, section: number): string {
  const extras = [tableOf, codeOf, listOf, figureOf]
  const extra = section % 4 === 3 ? extras[Math.floor(section / 4) % extras.length]?.(prose, '') : ''
  const heading = section % 2 === 1 ? `<h2>${prose.heading()}</h2>\n` : ''
  return `${heading}<p>${prose.paragraph()}</p>\n${extra}`
}

function tableOf(prose: Prose, marker: string): string {
  const row = () => `<tr><td>${prose.words(2)}</td><td>${prose.pick(1000)}</td><td>${prose.pick(100)} %</td></tr>`
  const marked = marker === '' ? '' : `<tr><td>${marker}</td><td>7</td><td>1 %</td></tr>`
  return `<table><thead><tr><th>Part</th><th>Count</th><th>Share</th></tr></thead><tbody>${row()}${marked}${row()}${row()}</tbody></table>\n`
}

function codeOf(prose: Prose, marker: string): string {
  const name = marker === '' ? 'measure' : marker
  return `<pre><code class="language-js">function ${name}(items) {\n  return items.filter((item) =&gt; item.size &lt; ${prose.pick(500)})\n}\n</code></pre>\n`
}

const listOf = (prose: Prose) => `<ul>${Array.from({ length: 4 }, () => `<li>${prose.words(6)}</li>`).join('')}</ul>\n`

const figureOf = (prose: Prose) =>
  `<figure><img src="/images/${prose.pick(99)}.jpg" alt="${prose.words(3)}" width="640" height="360"><figcaption>${prose.words(5)}</figcaption></figure>\n`

/** Frame of a common site, with a comment in place of the article. */
function frame(prose: Prose, links: number): string {
  const items = (count: number) =>
    Array.from({ length: count }, () => `<li><a href="/topics/${prose.pick(999)}">${prose.words(2)}</a></li>`).join('')
  const title = prose.heading()
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${prose.words(12)}"><meta property="og:title" content="${title}">
<link rel="canonical" href="/record"><link rel="stylesheet" href="/site.css">
<style>.${inStyle}{color:#333}</style><script>window.page={id:"${inScript}"}</script></head>
<body><!-- ${inComment} -->
<header><nav aria-label="Main"><a href="/">Home ${inNav}</a><ul>${items(links / 2)}</ul></nav></header>
<div class="cookie-banner" role="dialog" aria-label="Cookies"><p>We use cookies ${inCookieNotice}.</p><button>Accept</button></div>
<main><article>
<!--article--></article></main>
<aside class="sidebar"><h3>Related ${inSidebar}</h3><ul>${items(links / 2)}</ul></aside>
<footer><p>Imprint ${inFooter}</p><ul>${items(links / 3)}</ul></footer>
<script src="/site.js" defer></script></body></html>
`
}
