import { describe, expect, it } from 'vitest'
import { read } from './read.ts'

const linksOf = (html: string) => read(html, ['links'], { onlyMainContent: true }).links
const imagesOf = (html: string) => read(html, ['images']).images

describe('links', () => {
  it('are absolute, http or https, and listed once in document order', () => {
    const html = `<a href="b">b</a><a href=" /c ">c</a><a href="b">b</a><a href="//cdn.ex.com/d">d</a><a href="http://o.com">o</a>
      <a href="mailto:a@b.c">m</a><a href="tel:1">t</a><a href="javascript:x()">j</a><a href="https://[bad">bad</a><a>no</a>`
    expect(linksOf(html)).toEqual([
      'https://ex.com/docs/b',
      'https://ex.com/c',
      'https://cdn.ex.com/d',
      'http://o.com/',
    ])
  })

  it.each('/a/b.html,/a/,/,//o.com/x,/a/../b,/a//b,/a/.,/a%20b,/ä,/a b,/a\\b,http:/x'.split(','))(
    'to %s are resolved as by a browser',
    (href) => {
      const { links } = read(`<a href="${href}">x</a>`, ['links'], { url: 'http://u:p@ex.com:81/docs/page' })
      expect(links).toEqual([new URL(href, 'http://u:p@ex.com:81/docs/page').href])
    },
  )

  it('lose fragments, except those that are addresses', () => {
    const html =
      '<a href="/a#top">1</a><a href="/a">2</a><a href="#x">3</a><a href="#/route">4</a><a href="/b#!/route">5</a>'
    expect(linksOf(html)).toEqual(['https://ex.com/a', 'https://ex.com/docs/page#/route', 'https://ex.com/b#!/route'])
  })

  it('come from the whole page, including areas, regardless of the main content', () => {
    const html =
      '<nav><a href="/n">n</a></nav><main><p>text</p></main><map><area href="/m"></map><footer><a href="/f">f</a></footer>'
    expect(linksOf(html)).toEqual(['https://ex.com/n', 'https://ex.com/m', 'https://ex.com/f'])
  })
})

it('images are absolute, listed once, with lazy sources and the largest size, the preview of the page last', () => {
  const html = `<head><meta property="og:image" content="/og.png"></head><img src="a.png"><img src="a.png">
      <img src="data:image/gif;base64,xx" data-src="/lazy.png"><img srcset="/s.png 1x, /l.png 2x">
      <picture><source srcset="/p.webp 800w"><img src="/p.png"></picture><img src="data:image/png;base64,xx">`
  expect(imagesOf(html)).toEqual([
    'https://ex.com/docs/a.png',
    'https://ex.com/lazy.png',
    'https://ex.com/l.png',
    'https://ex.com/p.webp',
    'https://ex.com/p.png',
    'https://ex.com/og.png',
  ])
})

describe('attributes', () => {
  it('are read from all matches, addresses absolute', () => {
    const attributes = [
      { selector: 'li', attribute: 'data-id' },
      { selector: 'a.next', attribute: 'href' },
      { selector: '.none', attribute: 'id' },
    ]
    const html = '<ul><li data-id="1"><li data-id="2"><li></ul><a class="next" href="?p=2">next</a>'
    expect(read(html, ['attributes'], { attributes }).attributes).toEqual([
      { selector: 'li', attribute: 'data-id', values: ['1', '2'] },
      { selector: 'a.next', attribute: 'href', values: ['https://ex.com/docs/page?p=2'] },
      { selector: '.none', attribute: 'id', values: [] },
    ])
  })

  it('are found from the root element on, including by part of a name', () => {
    const attributes = [
      { selector: 'html', attribute: 'lang' },
      { selector: '*next*', attribute: 'href' },
    ]
    const html = '<!doctype html><html lang="de"><body><a class="go-next" href="/2">2</a></body></html>'
    expect(read(html, ['attributes'], { attributes }).attributes?.map(({ values }) => values)).toEqual([
      ['de'],
      ['https://ex.com/2'],
    ])
  })
})
