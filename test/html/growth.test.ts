import { afterAll, expect, it } from 'vitest'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import type { ReadRequest } from '../../src/contracts/page-content.ts'
import { prose } from './frame.ts'

const times = (part: string, count: number) => part.repeat(count)

/** Reads like the program: with quadratic work, each page would exceed this CPU time, which is an error. */
const read = createReader({ maxThreads: 2, maxCpuMs: 5000 })
afterAll(() => read.close())

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
  ['structured data of spaces', `<script type="application/ld+json">"@type":${times(' ', 300_000)}</script>`],
  ['the delay of a redirect', `<meta http-equiv="refresh" content="${times('0', 300_000)}">`],
  ['the source of a formula', `<math alttext="{\\displaystyle ${times('&#10;', 200_000)}x"><mi>x</mi></math>`],
  ['a style that moves', `<div style="transform:${times('translate(', 200_000)}">x</div>`],
  ['a style that clips', `<div style="clip-path:polygon(${times('0 0 ', 50)}x)">x</div>`],
  ['digits nested in boxes of cents', `${times('<sup>', 190)}${times('<b>1 </b>', 140_000)}`],
  ['hidden prices in a row', `<div>${times('<i aria-hidden="true">1</i>', 60_000)}</div>`],
  ['hidden tabs in a row', `<div>${times('<div class="tab-pane" hidden>one</div>', 60_000)}</div>`],
  ['the class of a date', `<h1>x</h1><i class="${times('post', 60_000)}">1 May 2024</i>`],
  ['brackets of links beside Chinese', `<p>中文${times('](', 500_000)}</p>`],
])('%s take time in proportion to the page', { timeout: 60_000 }, async (_, html, options) => {
  const request: ReadRequest = {
    html: `<html><head><meta property="og:type" content="article"></head><body><main><h1>Bees</h1>${prose('bees')}${html}</main></body></html>`,
    url: 'https://ex.com/',
    wanted: ['markdown', 'html', 'metadata', 'links', 'images', 'facts'],
    attributes: [],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    ...options,
  }
  const { markdown } = await read({ teamId: 'red', ...request }, never)
  // Not toContain, which would print the page.
  expect(markdown?.includes('Bees')).toBe(true)
})
