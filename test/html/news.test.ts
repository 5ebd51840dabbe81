import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const prose = (words: string) =>
  `<p>${words} the council met on Tuesday evening, and after three hours of talk about the bridge nothing was decided.</p>`
const text = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(prose)
const declared = '<meta property="og:type" content="article">'
const page = (body: string, head = declared) =>
  `<!doctype html><html><head><title>The bridge</title>${head}</head><body>
  <header><nav><a href="/a">News</a> <a href="/b">Sport</a></nav></header>${body}<footer>Imprint</footer></body></html>`
const article = (inside: string) => page(`<main><h1>The bridge</h1>${inside}</main>`)
const mainOf = (html: string) => markdownOf(html, { onlyMainContent: true, url: 'https://ex.com/news/bridge' })
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

const site = (inside: string) =>
  `<!doctype html><title>The bridge</title><div class="top"><a href="/">Brand</a></div><div class="page"><h1>The bridge</h1>${inside}</div><div class="foot"><a href="/i">Imprint</a></div>`

describe('a page of boxes without names', () => {
  const [one, two, three, four] = text

  it('keeps the author and the dates between headings and text', () => {
    const byline = '<div>By <a href="/authors/ann-lee">Ann Lee</a></div><div>5 May 2024</div>'
    const markdown = mainOf(site(`${byline}${one}${two}<h2>Later</h2><div>6 May 2024</div>${three}${four}`))
    expect(markdown).toContain('# The bridge\n\nBy [Ann Lee](https://ex.com/authors/ann-lee)\n\n5 May 2024\n\nFirst')
    expect(markdown).toContain('## Later\n\n6 May 2024\n\nThird')
  })

  it('keeps a note that a number names at its start', () => {
    const mark = '<p>The vote failed<a id="a1" href="#n1">1</a> by a wide margin in the end.</p>'
    const note = '<div><a id="n1" href="#a1">1</a><div><p>By nine to two.</p></div></div>'
    const markdown = mainOf(site(`${one}${two}${mark}${three}${note}`))
    expect(markdown).toContain('The vote failed[^1] by')
    expect(markdown).toContain('[^1]: By nine to two.')
  })

  it('keeps the source of a picture, which mostly is a link', () => {
    const source = '<div>(<a href="https://i.org/1">Image source of the bridge</a>)</div>'
    expect(mainOf(site(`${one}${two}${source}${three}`))).toContain('([Image source of the bridge](https://i.org/1))')
  })
})

it('leaves out links after the article with the title, even if they are longer', () => {
  const stories = ['who paid for it and when', 'what the mayor said about it', 'why it was built in the wrong place']
  const links = stories.map((words) => `<li><a href="/s">All about the bridge and ${words}</a></li>`).join('')
  const body = `<main><article><h1>The bridge</h1>${text[0]}</article><section><h2>More</h2><ul>${links}</ul></section></main>`
  expect(mainOf(page(body, ''))).toMatch(/^# The bridge\n\nFirst the council .*decided\.$/)
})

const lead = 'For the third time this year the town could not agree on what to do with its oldest bridge.'

const withText = (top: string) => `${top}<div class="content"><article>${text.join('')}</article></div>`

describe('the lead of an article', () => {
  it.each([
    [
      'as a subheading',
      withText(`<div class="hero"><h1>The bridge</h1><h2 class="subheadline">${lead}</h2></div>`),
      declared,
    ],
    [
      'that is also the description',
      withText(`<div><h1>The bridge</h1><div><p>${lead}</p></div></div>`),
      `${declared}<meta name="description" content="${lead.slice(0, 70)}">`,
    ],
    ['beside the text', `<main><h1>The bridge</h1><p class="lead">${lead}</p>${text.join('')}</main>`, declared],
  ])('is written once, below the title: %s', (_, body, head) => {
    const markdown = mainOf(page(body, head))
    expect(markdown.replace('\n## ', '\n').startsWith(`# The bridge\n\n${lead}\n\nFirst the council`)).toBe(true)
    expect(markdown.split(lead)).toHaveLength(2)
  })

  it('does not include a list or a teaser in the same place', () => {
    const list =
      '<ul class="intro"><li>One thing that stands here</li><li>Another thing that stands here, too</li></ul>'
    const links = `<p class="teaser"><a href="/x">${lead}</a></p>`
    const markdown = mainOf(page(withText(`<header><h1>The bridge</h1>${list}${links}</header>`)))
    expect(markdown).not.toContain('oldest bridge')
  })
})
