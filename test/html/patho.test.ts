import { afterAll, expect, it } from 'vitest'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import type { OfTeam, ReadRequest } from '../../src/contracts/page-content.ts'

const times = (part: string, count: number) => part.repeat(count)
const counted = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('')

/** As the program reads: a page that takes too long or too much memory is an error here. */
const read = createReader({ maxThreads: 2 })
afterAll(() => read.close())

const never = new AbortController().signal
const requestOf = (html: string): ReadRequest & OfTeam => ({
  teamId: 'red',
  html: `<html><body><main>${html}`,
  url: 'https://ex.com/',
  wanted: ['markdown', 'html', 'metadata', 'links', 'images'],
  attributes: [],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
})

it.each([
  ['20 MB of tags', times('<p>x', 5_000_000), 'x'],
  ['20 MB of brackets', times('<', 20_000_000), '<<<'],
  ['20 MB of ampersands', `<p>${times('&', 20_000_000)}`, '&&&'],
  ['a million attributes', `<p ${counted(1_000_000, (i) => `a${i} `)}>hello`, 'hello'],
  ['500,000 odd entities', `<p>hello ${times('&#xFFFFFF', 500_000)}`, 'hello'],
  ['a comment of 10 MB', `<p>hello</p><!--${times('x - ', 2_500_000)}-->`, 'hello'],
  ['comments that never end', `<p>hello</p>${times('<!--', 500_000)}`, 'hello'],
  ['a script with many comparisons', `<script>${times('if(a<b&&c>d){}', 100_000)}</script><p>hello</p>`, 'hello'],
  ['a drawing of 20,000 lines', `<svg>${times('<path d="M0 0"/>', 20_000)}</svg><p>hello</p>`, 'hello'],
  ['500 nested tables', `${times('<table><tr><td>x', 500)}inmost`, 'inmost'],
  ['paragraphs in items that stay open', times('<li><p>x', 50_000), 'x'],
  ['100,000 closing tags', `${times('</p></b></i>', 33_000)}hello`, 'hello'],
  ['20,000 links', counted(20_000, (i) => `<a href="/p/${i}">link ${i}</a> `), '[link 19999](https://ex.com/p/19999)'],
  [
    '10 MB of pictures',
    `${times(`<img src="data:image/png;base64,${times('iVBORw0KGgo', 90_000)}">`, 10)}hello`,
    'hello',
  ],
  ['a srcset of 200,000 pictures', `<img srcset="${counted(200_000, (i) => `/a${i}.png ${i}w, `)}">hello`, 'hello'],
  ['a style of 2 MB of digits', `<div style="left:-${times('9', 2_000_000)}x">hello</div>`, 'hello'],
  ['classes of 100,000 words', `<div class="${counted(100_000, (i) => `c${i} `)}">hello</div>`, 'hello'],
])('%s are read in bounded time', { timeout: 60_000 }, async (_, html, markdown) => {
  const parts = await read(requestOf(html), never)
  // Not toContain, which would print the page.
  expect(parts.markdown?.includes(markdown)).toBe(true)
})
