import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const main = { onlyMainContent: true, url: 'https://ex.com/news/bridge' }
const prose = (words: string) =>
  `<p>${words} the council met on Tuesday evening, and after three hours of talk about the bridge nothing was decided.</p>`
const text = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(prose).join('')
const lead = 'For the third time this year the town could not agree on what to do with its oldest bridge.'
const declared = '<meta property="og:type" content="article">'

const page = (body: string, head = declared) =>
  `<!doctype html><html><head><title>The bridge</title>${head}</head><body>
  <nav><a href="/a">News</a> <a href="/b">Sport</a></nav>${body}<footer>Imprint</footer></body></html>`
const withText = (top: string) => `${top}<div class="content"><article>${text}</article></div>`

describe('the lead of an article', () => {
  it.each([
    [
      'as a subheading',
      withText(`<div class="hero"><h1>The bridge</h1><h2 class="subheadline">${lead}</h2></div>`),
      declared,
    ],
    [
      'that the meta tags say',
      withText(`<div><h1>The bridge</h1><div><p>${lead}</p></div></div>`),
      `${declared}<meta name="description" content="${lead.slice(0, 70)}">`,
    ],
    ['beside the text', `<main><h1>The bridge</h1><p class="lead">${lead}</p>${text}</main>`, declared],
  ])('(%s) is shown below the title, once', (_, body, head) => {
    const markdown = markdownOf(page(body, head), main)
    expect(markdown.replace('\n## ', '\n').startsWith(`# The bridge\n\n${lead}\n\nFirst the council`)).toBe(true)
    expect(markdown.split(lead)).toHaveLength(2)
  })

  it('is not another element at the same place', () => {
    const list =
      '<ul class="intro"><li>One thing that stands here</li><li>Another thing that stands here, too</li></ul>'
    const links = `<p class="teaser"><a href="/x">${lead}</a></p>`
    const markdown = markdownOf(page(withText(`<header><h1>The bridge</h1>${list}${links}</header>`)), main)
    expect(markdown).not.toContain('oldest bridge')
  })
})

describe('after the end of an article', () => {
  it('a sentence within the text stays, whatever its first words', () => {
    const markdown = markdownOf(
      page(`<main><h1>The bridge</h1><p>This story is not yet over was all that the mayor said.</p>${text}</main>`),
      main,
    )
    expect(markdown).toContain('was all that the mayor said')
  })
})
