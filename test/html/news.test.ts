import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const prose = (words: string) =>
  `<p>${words} the council met on Tuesday evening, and after three hours of talk about the bridge nothing was decided.</p>`
const text = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(prose)
const article = (inside: string, before = '') =>
  `<!doctype html><html><head><title>The bridge</title><meta property="og:type" content="article"></head>
  <body><header><nav><a href="/a">News</a> <a href="/b">Sport</a></nav></header><main>${before}<h1>The bridge</h1>${inside}</main><footer>Imprint</footer></body></html>`
const mainOf = (html: string) => markdownOf(html, { onlyMainContent: true })
const teaser = (name: string, words = '') =>
  `<div class="card"><h3><a href="/${name}">Story of ${name}</a></h3>${words}</div>`

describe('an article', () => {
  it('ends with its last sentence', () => {
    const after = `<div><a href="/tag">Bridges</a></div><h3>Our podcast</h3><div>zur Übersicht</div>`
    expect(mainOf(article(text.join('') + after))).toMatch(/Eighth the council .*decided\.$/)
  })

  it('keeps its entries if it is a list', () => {
    const rows = ['one', 'two', 'three'].map((name) => teaser(name, prose('Elsewhere'))).join('')
    const markdown = mainOf(article(text.slice(0, 7).join('') + rows + text[7]))
    expect(markdown.match(/Story of/g)).toHaveLength(3)
  })

  it('keeps sentences that start like a link to another story', () => {
    const sentence = 'Mehr zum Thema wusste der Rat nicht zu sagen, und so ging man am späten Abend auseinander.'
    expect(mainOf(article(`${text.slice(0, 4).join('')}<p>${sentence}</p>${text.slice(4).join('')}`))).toContain(
      sentence,
    )
  })
})
