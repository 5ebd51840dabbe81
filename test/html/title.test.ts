import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const prose = Array.from(
  { length: 6 },
  (_, at) =>
    `<p>Paragraph ${at} says that the council met on Tuesday evening, and that after three hours nothing was decided.</p>`,
).join('')
const page = (body: string, head = '<title>Bridge closed - Daily Post</title>') =>
  `<!doctype html><html><head>${head}</head><body>${body}<footer>Imprint</footer></body></html>`
const mainOf = (html: string, url = 'https://post.example/news/bridge') =>
  markdownOf(html, { onlyMainContent: true, url })
const headings = (markdown: string) => markdown.match(/^# .*$/gm)
const times = (markdown: string, words: string) => markdown.split(words).length - 1

describe('the title of a page', () => {
  it.each([
    [
      'in a header beside the text',
      `<header><h1>Bridge closed</h1><p>By Ann Lee</p></header><div class="entry">${prose}</div>`,
    ],
    [
      'in a header outside of the article',
      `<header class="page-header"><h1>Bridge closed</h1></header><article>${prose}</article>`,
    ],
    ['above the main element', `<div class="hero"><h1>Bridge closed</h1></div><main>${prose}</main>`],
    ['in the article', `<article><h1>Bridge closed</h1>${prose}</article>`],
    ['twice', `<div class="hero"><h1>Bridge closed</h1></div><main><h1>Bridge closed</h1>${prose}</main>`],
    [
      'again as a heading of the text',
      `<div class="hero"><h1>Bridge closed</h1></div><main><h2>Bridge closed</h2>${prose}</main>`,
    ],
    [
      'after a breadcrumb that repeats it',
      `<main><ul><li>News</li><li>Bridge closed</li></ul><h1>Bridge closed</h1>${prose}</main>`,
    ],
    ['beside the name of the site', `<header><h1>Daily Post</h1></header><main><h1>Bridge closed</h1>${prose}</main>`],
    ['beside a logo that is a heading', `<main><h1><a href="/">The Post</a></h1><h1>Bridge closed</h1>${prose}</main>`],
    [
      'in a cookie dialog as well',
      `<div class="cookie-modal"><h1>Your choice</h1></div><main><h1>Bridge closed</h1>${prose}</main>`,
    ],
  ])('is the only h1: %s', (_, body) => {
    const markdown = mainOf(page(body))
    expect(headings(markdown)).toEqual(['# Bridge closed'])
    expect(times(markdown, 'Bridge closed')).toBe(1)
  })

  it.each(['Bridge closed - Daily Post', 'Post - Bridge closed'])('in "%s" turns other h1 into sections', (title) => {
    const body = `<main><h1>Bridge closed</h1>${prose}<h1>What next</h1>${prose}</main>`
    const markdown = mainOf(page(body, `<title>${title}</title>`))
    expect(markdown.match(/^#+ .*$/gm)).toEqual(['# Bridge closed', '## What next'])
  })

  it('is not invented if the page has none', () => expect(headings(mainOf(page(`<main>${prose}</main>`)))).toBeNull())

  it('is the title of the site on its home page', () => {
    const markdown = mainOf(page(`<header><h1>Daily Post</h1></header><main>${prose}</main>`), 'https://post.example/')
    expect(headings(markdown)).toEqual(['# Daily Post'])
  })
})
