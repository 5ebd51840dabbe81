import { expect, test } from 'vitest'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

/** A small page with links that its main content must or must not contain. */
type LinkPage = { name: string; body: string; links: readonly string[] }

const link = (text: string, href = `/${text.toLowerCase().replaceAll(' ', '-')}`) => `<a href="${href}">${text}</a>`
const items = (texts: readonly string[], to?: (text: string, index: number) => string) =>
  texts.map((text, index) => `<li>${link(text, to?.(text, index))}</li>`).join('')
const list = (texts: readonly string[]) => `<ul>${items(texts)}</ul>`
const toSection = (_: string, index: number) => `#part-${index + 1}`

const tides = ['Tides and moons', 'Reading a chart', 'Buoys at night', 'Radio calls']
const papers = ['Report 2022', 'Report 2023', 'Report 2024', 'Budget', 'Rules of the yard', 'Plan of the berths']
const sections = ['Walls', 'Gates', 'Cranes', 'Sheds']
const text = prose('the harbour')
const long = [text, prose('the wall'), prose('the ships')].join('')
const more = prose('the tide')
const sectionText = sections.map((name, index) => `<h2 id="part-${index + 1}">${name}</h2>${prose(name)}`).join('')

/** Link lists that belong to the text. */
const keptPages: readonly LinkPage[] = [
  {
    name: 'after a sentence with a colon',
    body: `<article><h1>Sailing in</h1>${text}<p>Read these first:</p>${list(tides)}${more}</article>`,
    links: tides,
  },
  {
    name: 'after a sentence with a colon, at the end',
    body: `<article><h1>Sailing in</h1>${long}<p>Read these first:</p>${list(tides)}</article>`,
    links: tides,
  },
  {
    name: 'after a sentence in a plain div',
    body: `<div class="text"><h1>Sailing in</h1>${long}<p>Read these first:</p>${list(tides)}${more}</div>`,
    links: tides,
  },
  {
    name: 'under a heading between sections',
    body: `<main><h1>Harbour</h1>${text}<h2>Charts</h2>${list(tides)}<h2>Fees</h2>${more}</main>`,
    links: tides,
  },
  {
    name: 'under a heading at the end',
    body: `<article><h1>Harbour</h1>${long}<h2>Sources</h2><ol>${items(tides)}</ol></article>`,
    links: tides,
  },
  {
    name: 'in a section with its heading',
    body: `<main><h1>Harbour</h1>${long}<section><h2>Documents</h2>${list(papers)}</section>${more}</main>`,
    links: papers,
  },
  {
    name: 'of documents, after a long introduction',
    body: `<main><h1>Documents</h1>${long}${list(papers)}</main>`,
    links: papers,
  },
  {
    name: 'of products',
    body: `<main><h1>Ropes</h1>${long}<div class="products">${papers.map((name) => `<div class="product">${link(name)}</div>`).join('')}</div></main>`,
    links: papers,
  },
  {
    name: 'in a table',
    body: `<main><h1>Harbour</h1>${text}<h2>Charts</h2><table><tr>${tides.map((name) => `<td>${link(name)}</td>`).join('')}</tr></table>${more}</main>`,
    links: tides,
  },
  {
    name: 'with lists inside',
    body: `<main><h1>Manual</h1>${text}<h2>Chapters</h2><ul>${tides.map((name) => `<li>${link(name)}${list([`${name} one`, `${name} two`])}</li>`).join('')}</ul>${more}</main>`,
    links: [...tides, 'Radio calls two'],
  },
  {
    name: 'of contents, in a box named toc',
    body: `<article><h1>Harbour</h1>${text}<div id="toc" class="toc"><h2>Contents</h2><ul>${items(sections, toSection)}</ul></div>${sectionText}</article>`,
    links: sections,
  },
  {
    name: 'of contents, of a manual',
    body: `<main><h1>Manual</h1>${long}<div class="toctree-wrapper compound"><p class="caption">Contents:</p>${list(tides)}</div></main>`,
    links: tides,
  },
  {
    name: 'next and previous page',
    body: `<main><h1>Harbour</h1>${long}<div class="pager"><a rel="prev" href="?page=1">Previous</a> <a rel="next" href="?page=3">Next</a></div></main>`,
    links: ['Previous', 'Next'],
  },
  {
    name: 'next page of a listing',
    body: `<main><h1>Ropes</h1>${tides.map((name) => `<div class="card"><h3>${link(name)}</h3><p>${name} is one of the four.</p></div>`).join('')}<ul class="pagination"><li>${link('1', '?page=1')}</li><li>${link('2', '?page=2')}</li><li>${link('Next', '?page=2')}</li></ul></main>`,
    links: ['Next'],
  },
]

/** Link lists outside the text. */
const removedPages: readonly LinkPage[] = [
  { name: 'in a nav', body: `<main><nav>${list(tides)}</nav><h1>Harbour</h1>${long}</main>`, links: tides },
  {
    name: 'of a menu without a nav',
    body: `<div>${list(tides)}</div><div class="text"><h1>Harbour</h1>${long}</div>`,
    links: tides,
  },
  {
    name: 'in a footer of the article',
    body: `<article><h1>Harbour</h1>${long}<footer><p>Filed here:</p>${list(tides)}</footer></article>`,
    links: tides,
  },
  {
    name: 'of related pages',
    body: `<article><h1>Harbour</h1>${long}<h3>You may also like</h3>${list(tides)}</article>`,
    links: tides,
  },
  {
    name: 'of breadcrumbs',
    body: `<main><ol class="breadcrumb">${items(tides)}</ol><h1>Harbour</h1>${long}</main>`,
    links: tides,
  },
  {
    name: 'of categories beside the text',
    body: `<div class="row"><div class="col"><h1>Harbour</h1>${long}</div><div class="col"><h3>Categories</h3>${list(tides)}</div></div>`,
    links: tides,
  },
  {
    name: 'of sections, in a nav beside the text',
    body: `<div class="row"><nav class="toc"><h2>On this page</h2><ul>${items(
      sections.map((name) => `${name} here`),
      toSection,
    )}</ul></nav><article><h1>Harbour</h1>${sectionText}</article></div>`,
    links: ['Walls here', 'Sheds here'],
  },
]

const linksIn = ({ body, links }: LinkPage) => {
  const markdown = markdownOf(page(body), main)
  expect(markdown).toMatch(/^# /m)
  return links.filter((name) => markdown.includes(`[${name}](`))
}

test.each(keptPages)('link lists $name are kept', (given) => expect(linksIn(given)).toEqual(given.links))

test.each(removedPages)('link lists $name are removed', (given) => expect(linksIn(given)).toEqual([]))
