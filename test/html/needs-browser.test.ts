import { describe, expect, it } from 'vitest'
import { menu, prose } from './frame.ts'
import { read } from './read.ts'

const document = (body: string, head = '<title>Shop</title>') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const flagOf = (html: string) => read(html, ['markdown']).needsBrowser
const bundle = '<script type="module" src="/assets/index-4f3a.js"></script>'
const beg = '<noscript>You need to enable JavaScript to run this app.</noscript>'
const frame = (content: string) =>
  `<header><a href="/">Shop</a><nav><ul>${menu(['Mugs', 'Plates', 'Bowls'])}</ul></nav></header>${content}<footer>Imprint</footer>`

describe('a shell that a browser has to fill', () => {
  it.each([
    ['React', `${beg}<div id="root"></div>${bundle}`],
    ['React that shows a loader', `<div id="root"><div class="spinner">Loading…</div></div>${bundle}`],
    [
      'Next',
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>${bundle}`,
    ],
    [
      'a splash screen',
      `<section id="d-splash"><div class="preloader-image"><div class="dots"></div></div></section>${bundle}`,
    ],
    ['skeletons in a frame', frame(`<main>${'<div class="card skeleton"></div>'.repeat(6)}</main>${bundle}`)],
    ['nothing but scripts', bundle],
    [
      'a request to enable JavaScript',
      `<p>JavaScript is disabled in your browser. Please enable it to continue.</p>${bundle}`,
    ],
    ['a script that redirects', '<p>Redirecting…</p><script>window.location.href = "/en/home"</script>'],
    ['a check of the browser', `<h1>Just a moment...</h1><p>Checking your browser before you can go on.</p>${bundle}`],
  ])('is recognised: %s', (_, body) => expect(flagOf(document(body))).toBe(true))

  it.each(['0; url=/new', '0;/new', '0'])('is recognised by a meta tag that redirects: %s', (content) => {
    expect(flagOf(document('<p>Moved.</p>', `<meta http-equiv="Refresh" content="${content}">`))).toBe(true)
  })

  it('is recognised if its body redirects after loading', () => {
    expect(flagOf(`<!doctype html><html><body onload="location.replace('/new')"></body></html>`)).toBe(true)
  })

  it('is recognised regardless of includeTags', () => {
    expect(read(document(`<div id="root"></div>${bundle}`), ['markdown'], { includeTags: ['main'] }).needsBrowser).toBe(
      true,
    )
  })
})

it.each([
  ['a line of text', '<h1>It works!</h1>'],
  ['nothing', ''],
  ['pictures', `<img src="/a.jpg"><img src="/b.jpg"><img src="/c.jpg">${bundle}`],
  ['one picture', `<img src="/a.jpg">${bundle}`],
  ['an article with an empty mount for comments', `<h1>Bees</h1>${prose('bees')}<div id="app"></div>${bundle}`],
  ['a page that Next has rendered', `<div id="__next"><main><h1>Bees</h1>${prose('bees')}</main></div>${bundle}`],
  [
    'a page for readers without scripts',
    `<div class="splash"></div><noscript><h1>Bees</h1>${prose('bees').repeat(2)}</noscript>${bundle}`,
  ],
  ['a tutorial on JavaScript', `<h1>Scripts</h1><p>This chapter requires JavaScript knowledge.</p>${prose('scripts')}`],
  [
    'a text about redirects',
    `<h1>Redirects</h1>${prose('redirects')}<script>function go(){location.href="/x"}</script>`,
  ],
])('a page that is merely short needs no browser: %s', (_, body) => expect(flagOf(document(body))).toBeUndefined())
