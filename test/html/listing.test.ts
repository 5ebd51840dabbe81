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

  it.each(['Read more', 'View this item'])('keeps the link "%s" if it is the only one to its item', (words) => {
    const markdown = withLink((name) => `<a href="/${name}">${words}</a>`)
    expect(markdown).toContain('### Alpha\n')
    expect(markdown).toContain(`[${words}](https://ex.com/Alpha)`)
  })

  it('keeps its lists of latest and popular items, which an article loses', () => {
    const popular = `<section><h2>Latest news</h2>${names.map((name) => `<h3><a href="/${name}">${name} makes the headlines again</a></h3>`).join('')}</section>`
    const body = `<main><h1>News</h1>${prose('the day').repeat(3)}${popular}</main>`
    expect(markdownOf(page(body), main)).toContain('Beta makes the headlines')
    const article = page(body, '<meta property="og:type" content="article">')
    expect(markdownOf(article, main)).not.toContain('Beta makes the headlines')
  })
})
