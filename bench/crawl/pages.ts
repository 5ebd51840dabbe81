import { createProse, type Prose } from '../lib/prose.ts'
import { asOurs, savedPages } from './saved-pages.ts'

/** A generated page, and the facts that a reader must find in it. */
export type CrawlPage = {
  html: string
  /** Paths that its anchors name, each once; undefined for a saved page. */
  links: ReadonlySet<string> | undefined
  /** Words of its main content, at its start, middle and end. */
  wanted: readonly string[]
  /** Words of the frame around it. */
  unwanted: readonly string[]
}

const meanBytes = 66_000
const links = { menu: 24, side: 12, below: 10 }

/** A POST to this path changes all pages. */
export const newEdition = '/new-edition'
const firstEdition = '0000'

/** A page in a later edition: one number in its main content differs. */
export const inEdition = (html: string, edition: number): string =>
  html.replace(`in edition ${firstEdition}.`, `in edition ${String(edition).padStart(firstEdition.length, '0')}.`)

/** Each page links to ten others derived from its number, so every page of `count` is reachable from page 0. */
export const pathOf = (at: number): string => (at === 0 ? '/' : `/part-${at % 20}/page-${at}`)

/** The number in a path; undefined when no page of `count` has it. */
export function numberOf(path: string, count: number): number | undefined {
  const at = path === '/' ? 0 : Number(/\/page-(\d+)$/.exec(path)?.[1] ?? Number.NaN)
  return at < count && pathOf(at) === path ? at : undefined
}

/** Page `at` of `count`, the same in every run. */
export function pageOf(at: number, count: number): CrawlPage {
  const prose = createProse(at + 1)
  const saved = savedPages[at % savedPages.length]
  if (saved !== undefined) return savedPage(saved, at, count, () => pathOf(prose.pick(count)))
  const named = new Set<string>()
  const anchor = (to: number, text: string) => {
    const path = pathOf(to % count)
    named.add(path)
    return `<a href="${path}">${text}</a>`
  }
  const wanted = ['start', 'middle', 'end'].map((place) => `${place}qua${at}x`)
  const unwanted = ['menu', 'side', 'below', 'notice', 'script'].map((place) => `${place}zub${at}x`)
  const listOf = (length: number) => items(length, () => anchor(prose.pick(count), prose.words(2)))
  const frame = { menu: listOf(links.menu), side: listOf(links.side), below: listOf(links.below) }
  const main = mainOf(prose, at, count, wanted, anchor)
  return { html: document(prose, frame, main, unwanted), links: named, wanted, unwanted }
}

function savedPage(saved: string, at: number, count: number, address: () => string): CrawlPage {
  const children = childrenOf(at, count).map((child) => `<li><a href="${pathOf(child)}">Page ${child}</a></li>`)
  const more = `<p>Page ${at}, in edition ${firstEdition}.</p><ul>${children.join('')}</ul>`
  return { html: asOurs(saved, address, more), links: undefined, wanted: [], unwanted: [] }
}

const childrenOf = (at: number, count: number) =>
  Array.from({ length: 10 }, (_, index) => at * 10 + index + 1).filter((child) => child < count)

type Anchor = (to: number, text: string) => string

function mainOf(prose: Prose, at: number, count: number, wanted: readonly string[], anchor: Anchor): string {
  const [start, middle, end] = wanted
  const half = Math.round(meanBytes * (0.15 + 0.006 * prose.pick(100)))
  const children = childrenOf(at, count)
  const text = () =>
    filler(prose, half).replaceAll(/<a href="\/notes\/(\d+)">(.*?)<\/a>/g, (_, number, words) =>
      anchor(Number(number), words),
    )
  return `<h1>${prose.heading()}</h1>
<p>${prose.paragraph().replaceAll(/<\/?a\b[^>]*>/g, '')} The record opens with ${start}, in edition ${firstEdition}.</p>
${text()}
<p>Half way through stands ${middle}.</p>
${text()}
<h2>Further records</h2><ul>${items(children.length, (index) => anchor(children[index] ?? 0, prose.words(3)))}</ul>
<p>The record closes with ${end}.</p>`
}

const items = (length: number, item: (at: number) => string) =>
  Array.from({ length }, (_, at) => `<li>${item(at)}</li>`).join('')

/** Sections of about `bytes` bytes together. */
function filler(prose: Prose, bytes: number): string {
  let text = ''
  for (let section = 0; text.length < bytes; section++) text += sectionOf(prose, section)
  return text
}

/** Every fourth section shows something other than paragraphs. */
function sectionOf(prose: Prose, section: number): string {
  const extra = section % 4 === 3 ? (section % 8 === 3 ? tableOf(prose) : codeOf(prose)) : ''
  const heading = section % 2 === 1 ? `<h2>${prose.heading()}</h2>\n` : ''
  return `${heading}<p>${prose.paragraph()}</p>\n${extra}`
}

function tableOf(prose: Prose): string {
  const row = () => `<tr><td>${prose.words(2)}</td><td>${prose.pick(1000)}</td><td>${prose.pick(100)} %</td></tr>`
  return `<table><thead><tr><th>Part</th><th>Count</th><th>Share</th></tr></thead><tbody>${row()}${row()}${row()}</tbody></table>\n`
}

const codeOf = (prose: Prose) =>
  `<pre><code class="language-js">function measure(items) {\n  return items.filter((item) =&gt; item.size &lt; ${prose.pick(500)})\n}\n</code></pre>\n`

type Frame = Readonly<Record<'menu' | 'side' | 'below', string>>

function document(prose: Prose, frame: Frame, main: string, unwanted: readonly string[]): string {
  const [inMenu, inSide, inFooter, inNotice, inScript] = unwanted
  const title = prose.heading()
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${prose.words(12)}"><meta property="og:title" content="${title}">
<link rel="stylesheet" href="/site.css"><script>window.page={id:"${inScript}"}</script></head>
<body><header><nav aria-label="Main"><p>${inMenu}</p><ul>${frame.menu}</ul></nav></header>
<div class="cookie-banner" role="dialog" aria-label="Cookies"><p>We use cookies ${inNotice}.</p><button>Accept</button></div>
<main><article>
${main}
</article></main>
<aside class="sidebar"><h3>Related ${inSide}</h3><ul>${frame.side}</ul></aside>
<footer><p>Imprint ${inFooter}</p><ul>${frame.below}</ul></footer></body></html>
`
}
