import { describe, expect, it } from 'vitest'
import { menu, prose } from './frame.ts'
import { read } from './read.ts'

const app = '<script defer src="/app.js"></script>'
const page = (body: string, scripts = app) =>
  `<!doctype html><html><head><title>Mugs</title></head><body><header><nav><ul>${menu(['Mugs', 'Plates'])}</ul></nav></header>
<main><h1>Mugs</h1>${prose('mugs')}${body}</main><footer>Imprint</footer>${scripts}</body></html>`
const partsOf = (body: string, scripts?: string) => read(page(body, scripts), ['markdown']).unfilled

describe('a part filled by scripts', () => {
  it.each([
    ['a message', '<p>Loading…</p>', ['loading message']],
    ['boxes', '<div class="skeleton"></div>'.repeat(3), ['placeholders']],
    ['an empty list', '<ul id="mugs"></ul>', ['empty list']],
    ['a template', '<p v-for="mug in mugs"></p>', ['template']],
    ['several placeholders', '<ul id="mugs"></ul><p>Loading…</p>', ['loading message', 'empty list']],
  ])('is recognised by its placeholder: %s', (_, body, parts) => expect(partsOf(body)).toEqual(parts))

  it('is searched when content is requested, but not in an empty shell', () => {
    const html = page('<p>Loading…</p>')
    expect(read(html, ['html'])).toHaveProperty('unfilled')
    expect(read(html, ['anchors'])).toHaveProperty('unfilled')
    expect(read(html, ['links', 'metadata'])).not.toHaveProperty('unfilled')
    const shell = `<title>Shop</title><div id="root"><p>Loading…</p></div>${app}`
    expect(read(shell, ['markdown'])).not.toHaveProperty('unfilled')
  })
})

it.each([
  ['a frameset', '<frameset cols="20%,80%"><frame src="/menu"><frame src="/text"></frameset>', ['frames']],
  ['one iframe', '<body><div><iframe src="/text"></iframe></div></body>', ['frames']],
  ['an iframe with text around it', '<body><p>Our map:</p><iframe src="/map"></iframe></body>', undefined],
  ['an iframe with links around it', '<body><a href="/"></a><iframe src="/map"></iframe></body>', undefined],
])('a page that only shows other documents needs a browser: %s', (_, body, parts) => {
  expect(read(`<html><head><title>F</title></head>${body}</html>`, ['markdown']).unfilled).toEqual(parts)
})

describe('no placeholder is found', () => {
  it.each([
    ['comments that load', '<section id="comments"><p>Loading comments…</p></section>'],
    ['ratings that load', '<div class="product-rating"><span class="spinner"></span></div>'],
    ['a list of what others bought', '<div class="related-products"></div>'],
    ['advertising', '<div class="ad-slot" data-slot="top"></div><ins class="adsbygoogle" data-ad-slot="1"></ins>'],
    ['a dialog', '<div class="modal"><p>Loading…</p></div><div role="dialog"><ul id="sizes"></ul></div>'],
    ['a hidden message', '<p hidden>Loading…</p><div style="display: none">Loading…</div>'],
    ['a message with a class that hides it', '<p class="d-none">Loading…</p>'],
    ['a message about more items of a list', '<ul><li>Blue</li><li>Green</li></ul><p>Loading more mugs…</p>'],
    ['a sentence about loading', '<h2>Loading the kiln</h2><ul><li>Loading and unloading</li></ul>'],
    ['a lesson on templates', '<pre><code>&lt;li v-for="mug in mugs"&gt;{{ mug }}&lt;/li&gt;</code></pre>'],
    ['a grid without cells', '<div class="grid"></div><div class="items-center"></div>'],
    ['a single placeholder box', '</main><div class="skeleton"></div>'],
  ])('in %s', (_, body) => expect(partsOf(body)).toBeUndefined())

  it('if no script runs', () => {
    expect(partsOf('<ul id="mugs"></ul><p>Loading…</p>', '')).toBeUndefined()
    expect(partsOf('<ul id="mugs"></ul>', '<script type="application/ld+json">{}</script>')).toBeUndefined()
  })

  it('if the page contains all of it for visitors without scripts', () => {
    expect(partsOf(`<ul id="mugs"></ul><noscript><h2>All</h2>${prose('mugs').repeat(3)}</noscript>`)).toBeUndefined()
  })
})
