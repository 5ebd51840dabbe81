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
    ['Vue', `<div id="app"></div>${bundle}`],
    [
      'Vue with begging',
      `<noscript><strong>We're sorry but shop doesn't work properly without JavaScript enabled.</strong></noscript><div id="app"></div>${bundle}`,
    ],
    [
      'Next',
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>${bundle}`,
    ],
    ['Nuxt', `<div id="__nuxt"></div><script>window.__NUXT__={}</script>${bundle}`],
    ['Angular', `<app-root></app-root>${bundle}`],
    ['Gatsby', `<div id="___gatsby"></div>${bundle}`],
    [
      'a splash screen',
      `<section id="d-splash"><div class="preloader-image"><div class="dots"></div></div></section>${bundle}`,
    ],
    ['skeletons in a frame', frame(`<main>${'<div class="card skeleton"></div>'.repeat(6)}</main>${bundle}`)],
    ['an empty root in a frame', frame(`<div id="app"></div>${bundle}`)],
    ['nothing but scripts', bundle],
    [
      'words that ask for JavaScript',
      `<p>JavaScript is disabled in your browser. Please enable it to continue.</p>${bundle}`,
    ],
    ['a script that forwards', '<p>Redirecting…</p><script>window.location.href = "/en/home"</script>'],
    ['a check of the browser', `<h1>Just a moment...</h1><p>Checking your browser before you can go on.</p>${bundle}`],
  ])('is found: %s', (_, body) => {
    expect(flagOf(document(body))).toBe(true)
  })

  it('is found where a meta tag forwards', () => {
    expect(flagOf(document('<p>Moved.</p>', '<meta http-equiv="Refresh" content="0; url=/new">'))).toBe(true)
  })

  it('is found for html as for markdown, and for no other part', () => {
    const shell = document(`<div id="root"></div>${bundle}`)
    expect(read(shell, ['html']).needsBrowser).toBe(true)
    expect(read(shell, ['links', 'metadata'])).not.toHaveProperty('needsBrowser')
  })

  it('is found whatever tags are asked for', () => {
    expect(read(document(`<div id="root"></div>${bundle}`), ['markdown'], { includeTags: ['main'] }).needsBrowser).toBe(
      true,
    )
  })
})

describe('a page that is merely short', () => {
  it.each([
    ['a line of text', '<h1>It works!</h1>'],
    ['a line of text with analytics', `<p>Back soon.</p><script async src="https://stats.ex.com/a.js"></script>`],
    ['nothing', ''],
    ['pictures', `<img src="/a.jpg"><img src="/b.jpg"><img src="/c.jpg">${bundle}`],
    ['one picture', `<img src="/a.jpg">${bundle}`],
    ['links', `<ul>${menu(['a', 'b', 'c'])}</ul>${bundle}`],
    ['an article with an empty mount for comments', `<h1>Bees</h1>${prose('bees')}<div id="app"></div>${bundle}`],
    [
      'a title, a few words and a widget',
      `<h1>Opening hours</h1><p>Monday to Friday from nine to five, on Saturday from ten to two. Closed on Sunday.</p><p>Call us to get the keys.</p><div id="app"></div>${bundle}`,
    ],
    ['a page that Next has rendered', `<div id="__next"><main><h1>Bees</h1>${prose('bees')}</main></div>${bundle}`],
    ['a page with a preloader over it', `<div class="preloader"></div><h1>Bees</h1>${prose('bees')}${bundle}`],
    [
      'begging beside the text',
      `<noscript>Please enable JavaScript for the best experience.</noscript><h1>Bees</h1>${prose('bees')}`,
    ],
    [
      'a page for readers without scripts',
      `<div class="splash"></div><noscript><h1>Bees</h1>${prose('bees').repeat(2)}</noscript>${bundle}`,
    ],
    [
      'a tutorial on JavaScript',
      `<h1>Scripts</h1><p>This chapter requires JavaScript knowledge.</p>${prose('scripts')}`,
    ],
    [
      'a text about redirects',
      `<h1>Redirects</h1>${prose('redirects')}<script>function go(){location.href="/x"}</script>`,
    ],
  ])('is left alone: %s', (_, body) => {
    expect(flagOf(document(body))).toBeUndefined()
  })

  it('is left alone where it reloads itself after minutes', () => {
    expect(flagOf(document('<p>Scores.</p>', '<meta http-equiv="refresh" content="300;url=/scores">'))).toBeUndefined()
  })
})
