import { afterAll, expect, it } from 'vitest'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import type { PagePart, ReadRequest } from '../../src/contracts/page-content.ts'
import { main, prose } from './frame.ts'
import { requestOf } from './read.ts'

const times = (part: string, count: number) => part.repeat(count)
const counted = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('')
const wanted: PagePart[] = ['markdown', 'html', 'metadata', 'links', 'images', 'facts']

/** Reads pages as the program does. With quadratic work, each page would exceed this CPU time, which is an error. */
const read = createReader({ maxThreads: 2, maxCpuMs: 5000 })
const readPatiently = createReader({ maxThreads: 2 })
afterAll(() => Promise.all([read.close(), readPatiently.close()]))

const never = new AbortController().signal

it.each<[string, string, Partial<ReadRequest>?]>([
  ['separators in a line', `<p>hello ${times('•', 100_000)} x</p>`],
  [
    'the description of a picture',
    `<article>${prose('hives').repeat(9)}<figure><img src="/a.jpg" alt="${times('-1', 5000)} x"><figcaption>Bees at work in the garden</figcaption></figure></article>`,
  ],
  [
    'nested boxes with a picture',
    `${times('<div>', 190)}<img src="/a.png">${times('<p>Some words that are read again for each of the boxes</p>', 70_000)}`,
  ],
  ['the address of a picture', `<img alt="a" src="/${times('icon-', 60_000)}">`],
  [
    'items found by their place',
    `<ul>${times('<li>item</li>', 100_000)}</ul>`,
    { excludeTags: ['li:nth-child(2)', 'li:nth-last-of-type(2n+7)', 'b + li'] },
  ],
  ['brackets of links', `<p>${times('](', 500_000)}</p>`],
  ['white space in a cell', `<table><tr><th>a</th></tr><tr><td>a${times('&emsp;', 200_000)}b</td></tr></table>`],
  ['line ends in code', `<pre>a${times('\n', 300_000)}b</pre>`],
  ['line ends in code outside a pre', `<code style="white-space:pre">a${times('\n', 300_000)}b</code>`],
  ['signs in the address of a note', `<p>x <a href="${times('#', 300_000)}\nx">1</a></p>`],
  ['lines of a text', `<div style="white-space:pre-wrap">${times('line\n', 100_000)}</div>`],
  ['structured data of spaces', `<script type="application/ld+json">"@type":${times(' ', 300_000)}</script>`],
  ['the delay of a redirect', `<meta http-equiv="refresh" content="${times('0', 300_000)}">`],
  ['the source of a formula', `<math alttext="{\\displaystyle ${times('&#10;', 200_000)}x"><mi>x</mi></math>`],
  ['a style that moves', `<div style="transform:${times('translate(', 200_000)}">x</div>`],
  ['a style that clips', `<div style="clip-path:polygon(${times('0 0 ', 50)}x)">x</div>`],
  ['digits nested in boxes of cents', `${times('<sup>', 190)}${times('<b>1 </b>', 140_000)}`],
  ['hidden prices in a row', `<div>${times('<i aria-hidden="true">1</i>', 60_000)}</div>`],
  ['hidden tabs in a row', `<div>${times('<div class="tab-pane" hidden>one</div>', 60_000)}</div>`],
  ['hidden answers in a row', `${times('<div onclick="t()">Q?</div><div hidden><p>A.</p></div>', 20_000)}`],
  ['the class of a date', `<h1>x</h1><i class="${times('post', 60_000)}">1 May 2024</i>`],
  ['brackets of links beside Chinese', `<p>中文${times('](', 500_000)}</p>`],
  ['pictures', counted(30_000, (n) => `<p><img src="/a/${n}.jpg" alt=""></p>`)],
  ['pictures in a link', `<a href="/x">w${counted(30_000, (n) => `<img src="/a/${n}.png">`)}</a>`],
  [
    'linked pictures beside a word',
    `<div>text ${counted(30_000, (n) => `<a href="/p/${n}"><img src="/a/${n}.jpg"></a>`)}</div>`,
  ],
  [
    'icons in a cell',
    `<table><tr><td>1</td><td>${'<img src="/icons/a.png" alt="yes">'.repeat(30_000)}</td></tr></table>`,
  ],
  ['pictures in a figure', `<figure>${counted(30_000, (n) => `<img src="/a/${n}.png">`)}</figure>`],
  ['ways to log in', `<div>${'<a href="/login">in</a> '.repeat(30_000)}x</div>`],
  ['empty rows', `<table><tr><th>A</th></tr>${'<tr><td></td></tr>'.repeat(30_000)}<tr><td>1</td></tr></table>`],
])('%s take time in proportion to the page', { timeout: 60_000 }, async (_, html, options) => {
  const page = `<html><head><meta property="og:type" content="article"></head><body><main><h1>Bees</h1>${prose('bees')}${html}${prose('hives')}</main></body></html>`
  const { markdown } = await read({ teamId: 'red', ...requestOf(page, wanted, { ...main, ...options }) }, never)
  // Not toContain, which would print the page.
  expect(markdown?.includes('Bees')).toBe(true)
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
])('%s are read in bounded time', { timeout: 60_000 }, async (_, html, text) => {
  const page = `<html><body><main>${html}`
  const { markdown } = await readPatiently({ teamId: 'red', ...requestOf(page, wanted, main) }, never)
  expect(markdown?.includes(text)).toBe(true)
})
