import { describe, expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

const names = ['Alpha', 'Beta', 'Gamma', 'Delta']
const listing = (card: (name: string) => string, around = '') =>
  markdownOf(page(`<main><h1>Letters</h1>${around}<div class="grid">${names.map(card).join('')}</div></main>`), main)

const withLink = (link: (name: string) => string) =>
  listing(
    (name) =>
      `<div class="card"><h3>${name}</h3><p>One of the letters that are called by names.</p>${link(name)}</div>`,
  )

describe('a listing', () => {
  it('keeps the link, the price and the date of every item', () => {
    const markdown = listing(
      (name) =>
        `<div class="card"><a href="/${name}"><h3>${name}</h3></a><span class="price">$5.00</span> <time>May 1, 2024</time></div>`,
    )
    expect(markdown.match(/### \[\w+\]\(https:\/\/ex\.com\/\w+\)/g)).toHaveLength(4)
    expect(markdown.split('$5.00')).toHaveLength(5)
    expect(markdown.split('May 1, 2024')).toHaveLength(5)
  })

  it('puts the link that lies over a card without a word on the heading of its item', () => {
    const markdown = withLink((name) => `<a href="/${name}" class="overlay-link" aria-label="${name}"></a>`)
    expect(markdown).toContain('### [Alpha](https://ex.com/Alpha)')
    expect(markdown).toContain('### [Delta](https://ex.com/Delta)')
  })

  it.each(['Read more', 'View this item'])('leaves "%s" where it is when nothing else leads to the item', (words) => {
    const markdown = withLink((name) => `<a href="/${name}">${words}</a>`)
    expect(markdown).toContain('### Alpha\n')
    expect(markdown).toContain(`[${words}](https://ex.com/Alpha)`)
  })

  it('drops "Read more" where the link over the card leads to the same page', () => {
    const markdown = withLink((name) => `<a href="/${name}"></a><a href="/${name}">Read more</a>`)
    expect(markdown).toContain('### [Alpha](https://ex.com/Alpha)')
    expect(markdown).not.toContain('Read more')
  })

  it('leaves headings alone where a card leads to more than one place', () => {
    const markdown = listing(
      (name) =>
        `<div class="card"><h3>${name}</h3><a href="/by/anna">Anna</a><p>One of the letters.</p><a href="/${name}">Read more</a></div>`,
    )
    expect(markdown).toContain('### Alpha\n')
  })

  it('drops filters, sorting and counts', () => {
    const filters = `<div class="filters"><h2>Filter by</h2><ul><li>Cheap (3)</li><li>Dear (1)</li></ul></div><p>Showing 1–4 of 120 results</p>`
    const markdown = listing(
      (name) => `<div class="card"><a href="/${name}"><h3>${name}</h3></a><p>${name} is a letter.</p></div>`,
      filters,
    )
    expect(markdown).not.toMatch(/Filter|Cheap|Showing/)
    expect(markdown).toContain('Delta is a letter')
  })

  it('keeps its lists of the latest and the most popular, which an article loses', () => {
    const popular = `<section><h2>Latest news</h2>${names.map((name) => `<h3><a href="/${name}">${name} makes the headlines again</a></h3>`).join('')}</section>`
    const body = `<main><h1>News</h1>${prose('the day').repeat(3)}${popular}</main>`
    expect(markdownOf(page(body), main)).toContain('Beta makes the headlines')
    const article = page(body, '<meta property="og:type" content="article">')
    expect(markdownOf(article, main)).not.toContain('Beta makes the headlines')
  })
})
