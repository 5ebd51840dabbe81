import { describe, expect, it, test } from 'vitest'
import { read } from './read.ts'

const anchorsOf = (html: string) => read(html, ['anchors']).anchors
const textOf = (link: string) => anchorsOf(`<p>${link}</p>`)?.[0]?.text

describe('anchors', () => {
  it('are the links of the page, with their text', () => {
    const html =
      '<nav><a href="b">One</a></nav><a href="/a#top">Two</a><a href="#x">no</a><a href="mailto:a@b.c">no</a><area href="/m" alt="Map">'
    const anchors = anchorsOf(html)
    expect(anchors).toEqual([
      { url: 'https://ex.com/docs/b', text: 'One' },
      { url: 'https://ex.com/a', text: 'Two' },
      { url: 'https://ex.com/m', text: 'Map' },
    ])
    expect(anchors?.map(({ url }) => url)).toEqual(read(html, ['links']).links)
  })

  it('are listed once, with the first non-empty text', () => {
    const html = '<a href="/a"><img src="i.png"></a><a href="/b">B</a><a href="/a">Words</a><a href="/a">More words</a>'
    expect(anchorsOf(html)).toEqual([
      { url: 'https://ex.com/a', text: 'Words' },
      { url: 'https://ex.com/b', text: 'B' },
    ])
  })

  test.each([
    ['folds whitespace', '<a href="/a">\n  two \t&nbsp; words\n</a>', 'two words'],
    [
      'keeps boxes apart',
      '<a href="/a"><span>Fr</span>ee <div>plan</div><div>for all</div>now</a>',
      'Free plan for all now',
    ],
    [
      'takes the heading of a card',
      '<a href="/a"><h3>Storm <b>lamp</b></h3><div>Burns all night</div></a>',
      'Storm lamp',
    ],
    [
      'omits hidden elements',
      '<a href="/a"><svg><title>icon</title></svg><style>a{}</style><i aria-hidden="true">x</i>Shown</a>',
      'Shown',
    ],
    ['takes the title before the label', '<a href="/a" title="T" aria-label="L"><img alt="I"></a>', 'T'],
    ['takes the label before the picture', '<a href="/a" aria-label="L"><img alt="I"></a>', 'L'],
    ['takes the alt text of a picture', '<a href="/a"><b><img alt=" A picture "></b></a>', 'A picture'],
    ['is empty for a link without words', '<a href="/a"> <img src="x.png"> </a>', ''],
    ['drops invisible characters', '<a href="/a">a\u200B\u{E0041}b</a>', 'ab'],
  ])('the text %s', (_, link, text) => expect(textOf(link)).toBe(text))

  it('are empty in a shell that scripts fill, and the page needs a browser', () => {
    const shell = '<html><head><script src="app.js"></script></head><body><div id="root"></div></body></html>'
    expect(read(shell, ['anchors'])).toEqual({ anchors: [], needsBrowser: true })
  })
})
