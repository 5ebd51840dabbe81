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
  it.each([
    [
      'a caption',
      '<figcaption>The old bridge in March.</figcaption>',
      '![The old bridge in March.](https://ex.com/b.jpg)',
    ],
    [
      'a caption without the credit after it',
      '<figcaption>The old bridge in March. Photo: Ann Lee/Agency</figcaption>',
      '![The old bridge in March.](https://ex.com/b.jpg)',
    ],
    [
      'a caption without the credit in it',
      '<figcaption>The old bridge <span class="credit">Ann Lee</span></figcaption>',
      '![The old bridge](https://ex.com/b.jpg)',
    ],
    ['a picture without its credit', '<figcaption>© Ann Lee / Agency</figcaption>', '![](https://ex.com/b.jpg)'],
  ])('keeps %s with the picture', (_, caption, picture) => {
    const page = article(`${text[0]}<figure><img src="/b.jpg" alt="">${caption}</figure>${text.slice(1).join('')}`)
    const markdown = mainOf(page)
    expect(markdown).toContain(picture)
    expect(markdown.replace(picture, '')).not.toMatch(/old bridge|Ann Lee/)
  })

  it('keeps a description of a picture that says more than its caption', () => {
    const figure =
      '<figure><img src="/b.jpg" alt="A stone arch over a river"><figcaption>Before the flood</figcaption></figure>'
    expect(mainOf(article(text[0] + figure + text.slice(1).join('')))).toContain(
      '![A stone arch over a river](https://ex.com/b.jpg "Before the flood")',
    )
  })

  it('ends with its last sentence', () => {
    const after = `<div><a href="/tag">Bridges</a></div><h3>Our podcast</h3><div>zur Übersicht</div>`
    expect(mainOf(article(text.join('') + after))).toMatch(/Eighth the council .*decided\.$/)
  })

  it('begins with its title', () => {
    expect(mainOf(article(text.join(''), '<div>Category: News</div><div><a href="/">Back</a></div>'))).toMatch(
      /^# The bridge\n/,
    )
  })

  it('has no teasers of other texts after it', () => {
    const excerpt = prose('Elsewhere').replace('Tuesday', 'Friday')
    const row = `<div class="more"><h2>Weekend</h2>${['one', 'two', 'three'].map((name) => teaser(name, excerpt)).join('')}</div>`
    expect(mainOf(article(text.join('') + row))).not.toMatch(/Story of|Friday|Weekend/)
  })

  it('keeps the entries of a list that it is', () => {
    const rows = ['one', 'two', 'three'].map((name) => teaser(name, prose('Elsewhere'))).join('')
    const markdown = mainOf(article(text.slice(0, 7).join('') + rows + text[7]))
    expect(markdown.match(/Story of/g)).toHaveLength(3)
  })

  it.each([
    'Lesen Sie auch: <a href="/x">Ein anderer Text über Brücken</a>',
    'Mehr zum Thema: <a href="/x">Ein anderer Text über Brücken</a>',
    'À lire aussi : <a href="/x">Ein anderer Text über Brücken</a>',
    'Lea también: <a href="/x">Ein anderer Text über Brücken</a>',
    'Leggi anche: <a href="/x">Ein anderer Text über Brücken</a>',
    'Czytaj też: <a href="/x">Ein anderer Text über Brücken</a>',
    'Veja também: <a href="/x">Ein anderer Text über Brücken</a>',
    'Lees ook: <a href="/x">Ein anderer Text über Brücken</a>',
    'Läs också: <a href="/x">Ein anderer Text über Brücken</a>',
  ])('has no pointer such as "%s"', (pointer) => {
    const markdown = mainOf(article(`${text.slice(0, 4).join('')}<p>${pointer}</p>${text.slice(4).join('')}`))
    expect(markdown).not.toContain('Brücken')
    expect(markdown.match(/the council/g)).toHaveLength(8)
  })

  it.each([
    'Drucken',
    'Kommentieren',
    'Artikel teilen',
    'Lire la suite',
    'Compartir',
    'Drukuj',
    'Lesezeit: 4 Minuten',
    '5 min read',
    'Sie müssen sich einloggen, um zu kommentieren.',
    'Foto: Ann Lee/Agentur',
  ])('has no "%s"', (words) => {
    expect(mainOf(article(`${text.slice(0, 4).join('')}<p>${words}</p>${text.slice(4).join('')}`))).not.toContain(words)
  })

  it('keeps sentences that begin like a pointer', () => {
    const sentence = 'Mehr zum Thema wusste der Rat nicht zu sagen, und so ging man am späten Abend auseinander.'
    expect(mainOf(article(`${text.slice(0, 4).join('')}<p>${sentence}</p>${text.slice(4).join('')}`))).toContain(
      sentence,
    )
  })
})
