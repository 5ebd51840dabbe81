import { describe, expect, it } from 'vitest'
import { main, menu, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

const sidebar = `<aside class="sidebar"><ul>${menu(['Install', 'Configure', 'Deploy'])}</ul></aside>`
const toc = `<nav class="toc"><h2>On this page</h2><ul>${menu(['Usage', 'Options'])}</ul></nav>`
const admonition = `<div class="admonition warning"><p class="admonition-title">Warning</p><p>Never run this as root.</p></div>`
const tabs = `<div class="tabs"><ul role="tablist"><li role="tab" aria-controls="npm">npm</li><li role="tab" aria-controls="yarn">yarn</li></ul>
  <div role="tabpanel" id="npm"><pre><code class="language-sh">npm add bees</code></pre></div>
  <div role="tabpanel" id="yarn" hidden><pre><code class="language-sh">yarn add bees</code></pre></div></div>`
const table = `<table><tr><th>Option</th><th>Default</th></tr><tr><td><code>hive</code></td><td>1</td></tr></table>`
const tail = `<a href="/edit">Edit this page</a><div class="feedback"><p>Was this page helpful?</p><button>Yes</button></div>
  <p>Except as otherwise noted, the content of this page is licensed under the Creative Commons Attribution 4.0 License.</p>`

describe('a documentation page', () => {
  const body = `${sidebar}<main><article><h1>Bees</h1>${prose('the library')}${toc}${admonition}<h2>Usage</h2>${tabs}<h2>Options</h2>${table}${tail}</article></main>`
  const markdown = markdownOf(page(body), main)

  it.each([
    ['its text', 'about the library'],
    ['admonitions', 'Never run this as root.'],
    ['code', '```sh\nnpm add bees\n```'],
    ['the tabs that are not open', 'yarn add bees'],
    ['tables of options', '| `hive` | 1 |'],
  ])('keeps %s', (_, text) => expect(markdown).toContain(text))

  it('drops the menu next to it', () => expect(markdown).not.toContain('Deploy'))

  it('keeps a section whose id, derived from its heading, mentions sharing', () => {
    const section = `<section id="sql-for-update-share-locks"><h2>Locks</h2><p>Rows stay locked until the transaction ends.</p></section>`
    expect(markdownOf(page(`<main><h1>Select</h1>${prose('queries').repeat(4)}${section}</main>`), main)).toContain(
      'Rows stay locked',
    )
  })
})

it.each([
  [
    'a warning whose title is hidden from screen readers',
    '<aside aria-label="Caution" class="starlight-aside"><p class="starlight-aside__title" aria-hidden="true">Caution</p><div><p>Never delete the log of the bay.</p></div></aside>',
    '> **Caution**\n>\n> Never delete the log of the bay.',
  ],
  ['a side note', '<aside class="sidebar"><p>Ink</p><p>It was used until 1962.</p></aside>', 'Ink\n\nIt was used'],
  ['a pull quote', '<aside><blockquote>It never stops.</blockquote></aside>', '> It never stops.'],
])('keeps %s in an aside of its text', (_, aside, written) => {
  const text = `${prose('bees')}${aside}${prose('hives')}`
  const markdown = markdownOf(page(`<main><article><h1>Bees</h1>${text}<h2>Setting</h2>${text}</article></main>`), main)
  expect(markdown.split(written)).toHaveLength(3)
})

const around = (words: string) =>
  markdownOf(page(`<main><h1>Bees</h1>${prose('bees').repeat(3)}<p>${words}</p></main>`), main)

describe('notes in documentation pages', () => {
  it.each([
    'The law on cookies asks every site to get consent.',
    'Copyright is a right of authors.',
    'You must sign the form and send it back to us within ten days of your purchase.',
    'Loading a hive onto a truck takes two people.',
    'The register lists all hives of the county.',
  ])('do not include sentences of the text: %s', (words) => expect(around(words)).toContain(words))

  it('stay if cookies are the subject of the page', () => {
    const notices = [
      'We use cookies to improve our site.',
      'Our shop uses cookies and you may accept them.',
      'We use cookies to personalise offers.',
    ]
    const policy = page(
      `<main><h1>Cookies</h1>${prose('policies')}${notices.map((words) => `<p>${words}</p>`).join('')}</main>`,
    )
    for (const words of notices) expect(markdownOf(policy, main)).toContain(words)
  })
})
