import { describe, expect, test } from 'vitest'
import type { PageFacts } from '../../src/contracts/page-content.ts'
import { read } from './read.ts'

const none: PageFacts = { markup: [], shown: [], questions: [] }
const page = (body: string, title = 'Night ferry | The Post') =>
  `<html><head><title>${title}</title></head><body>${body}</body></html>`
const factsOf = (body: string, options = {}) => read(page(body), ['facts'], options).facts ?? none
const shown = (body: string, name: string) =>
  factsOf(body)
    .shown.filter((fact) => fact.name === name)
    .map(({ value }) => value)
const first = (body: string, name: string) => shown(body, name)[0]
const article = (inner: string) => `<header><h1>The Post</h1></header><main><h1>Night ferry</h1>${inner}</main>`

test('the headline is the heading that the title of the page repeats, not the logo', () => {
  expect(first(article(''), 'headline')).toBe('Night ferry')
  expect(factsOf(article('')).shown[0]).toMatchObject({ where: 'h1' })
})

const nameOf = (html: string) => read(html, ['facts']).facts?.shown.find(({ name }) => name === 'name')?.weight
test('a headline that the page title does not mention counts less than the title', () => {
  expect(nameOf(page('<h1>Better every day!</h1>'))).toBeLessThan(0.8)
  expect(nameOf(page('<h1>Night crossing</h1>'))).toBeGreaterThan(0.9)
  expect(nameOf(page('<h1>Better every day!</h1>', ' | '))).toBeGreaterThan(0.9)
})

describe('authors', () => {
  test.each([
    ['a link to the author', '<p><a rel="author" href="/a">Ann Lee</a></p>'],
    ['a class', '<div class="post-author-name">Ann Lee</div>'],
    ['a profile address', '<a href="/authors/ann-lee">Ann Lee</a>'],
    ['a line', '<p>Written by Ann Lee | 3 March 2026</p>'],
    ['words around it', '<span class="byline">By <b>Ann Lee</b> on 3 March 2026</span>'],
  ])('by %s', (_, inner) => expect(first(article(inner), 'author')).toBe('Ann Lee'))

  test.each([
    ['of related articles', '<div class="related-posts"><a rel="author">Bo Berg</a></div>'],
    ['of comments', '<ol class="comments"><li class="author">Bo Berg</li></ol>'],
    ['that a visitor does not see', '<a rel="author" style="display:none">Bo Berg</a>'],
    [
      'that are accounts or buttons',
      '<a rel="author">admin</a><div class="author">Read more</div><b class="author">x@y.test</b>',
    ],
    ['in sentences', '<p>The crossing was planned by many people in the town over years.</p>'],
  ])('do not include names %s', (_, inner) => expect(shown(article(inner), 'author')).toEqual([]))
})

test.each([
  ['<time datetime="2026-03-03T10:00:00Z">yesterday</time>', '2026-03-03T10:00:00Z'],
  ['<span class="entry-date">3rd March 2026</span>', '3rd March 2026'],
  ['<p>Published: Mar. 3, 2026</p>', 'Mar. 3, 2026'],
])('dates are read from %s', (inner, value) => {
  expect(first(article(inner), 'datePublished')).toBe(value)
  expect(shown(article(inner), 'dateModified')).toEqual([])
})

describe('prices', () => {
  test.each([
    ['<span class="price">$1,299.00</span>', '$1,299.00'],
    ['<p>Price: USD 60.00</p>', 'Price: USD 60.00'],
    ['<div><span>149,00 €</span></div>', '149,00 €'],
    ['<div class="price-current">$<strong>698</strong><sup>00</sup></div>', '$ 698.00'],
    ['<del class="price">$90</del><ins class="price">$70</ins>', '$70'],
    ['<div class="was-price">$90</div><div class="now-price price">$70</div>', '$70'],
  ])('are read from %s', (inner, value) => expect(first(article(inner), 'price')).toBe(value))

  test.each([
    ['of other products', '<div class="related-products"><span class="price">$5</span></div>'],
    ['of a list', ['5', '6', '7', '8'].map((amount) => `<li class="price">$${amount}</li>`).join('')],
    ['of shipping', '<p class="price">Free shipping over $50</p>'],
    ['that are not amounts', '<p class="price">Call us</p><p>Gate 7</p>'],
  ])('do not include prices %s', (_, inner) => expect(shown(article(inner), 'price')).toEqual([]))
})

test('definition lists and microdata of any type are read', () => {
  const { shown: facts, markup } = factsOf(
    article(`<dl><dt>Captain:</dt><dd>Bo Berg</dd></dl>
      <div itemscope itemtype="https://schema.org/Event"><span itemprop="name">Regatta</span></div>`),
  )
  expect(facts).toContainEqual({ name: 'Captain', value: 'Bo Berg', weight: 0.65, where: 'dl' })
  expect(markup).toMatchObject([{ name: ['Regatta'] }])
})

describe('questions', () => {
  const answer = 'It sails from pier seven at nine in the evening.'
  const expected = [{ question: 'Where does it sail from?', answer }]

  test.each([
    ['headings', `<h3>Where does it sail from?</h3><p>${answer}</p><h3>Next?</h3>`],
    ['folds', `<details><summary>Where does it sail from?</summary><p>${answer}</p></details>`],
    ['definition lists', `<dl><dt>Where does it sail from?</dt><dd>${answer}</dd></dl>`],
    [
      'buttons of panels',
      `<div><h3><button aria-controls="a">Where does it sail from?</button></h3></div><i></i><div id="a" style="display:none">${answer}</div>`,
    ],
    ['bold words of a line', `<p><strong>Where does it sail from?</strong><br>${answer}</p>`],
  ])('are read from %s', (_, inner) => expect(factsOf(article(inner)).questions).toEqual(expected))

  test('without an answer are omitted, and a following question is not the answer', () => {
    const inner = '<h3>Where does it sail from?</h3><h3>When does it sail, then?</h3><p>Hm.</p>'
    expect(factsOf(article(inner)).questions).toEqual([])
  })
})

test('facts and text are empty if the caller selects elements', () => {
  const body = article('<p class="byline">By Ann Lee</p>')
  for (const options of [{ includeTags: ['p'] }, { excludeTags: ['.byline'] }]) {
    expect(factsOf(body, options)).toEqual(none)
    expect(read(page(body), ['text'], options).text).toBe('')
  }
})

test('text of the whole page includes what the main content omits, but no hidden text', () => {
  const { text } = read(
    page(
      '<nav>Menu</nav><main><h2>A</h2><p>One <b>two</b></p></main><aside>Three</aside><p style="font-size:0">Hidden</p>',
    ),
    ['text'],
  )
  expect(text).toBe('## A\nOne two\nThree')
})
