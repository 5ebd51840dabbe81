import { describe, expect, it } from 'vitest'
import { markdownOf, read } from './read.ts'

const page = `<nav class="top">Nav</nav><main><h1>Head</h1><div class="a"><p>One <b>bold</b></p></div><p id="two">Two</p>
  <div class="promo-box" data-kind="Advert">Promo</div></main><footer>Foot</footer>`

it.each([
  ['a tag', ['footer'], 'Foot'],
  ['a class', ['.a'], 'One **bold**'],
  ['an id', ['#two'], 'Two'],
  ['several, in the order of the document', ['footer', '#two', 'nav'], 'Nav\n\nTwo\n\nFoot'],
  ['nested matches once', ['main', 'p', 'b'], 'Head'],
  ['part of a class or attribute', ['*advert*'], 'Promo'],
  ['nothing', ['.none'], ''],
])('includeTags keep %s', (_, includeTags, text) => {
  const markdown = markdownOf(page, { includeTags, onlyMainContent: true })
  if (text === 'Head') expect(markdown.match(/One \*\*bold\*\*/g)).toHaveLength(1)
  else expect(markdown).toBe(text)
})

describe('a report that includeTags match nothing', () => {
  it('is made if content was requested', () => {
    expect(read(page, ['markdown'], { includeTags: ['.none', '#nowhere'] }).matchesNothing).toBe(true)
    expect(read(page, ['html'], { includeTags: ['main'], excludeTags: ['main'] }).matchesNothing).toBe(true)
    expect(read(page, ['links'], { includeTags: ['.none'] })).not.toHaveProperty('matchesNothing')
  })

  it.each([[['.none', '#two']], [['body']], [['*advert*']], [[]]])('is not made for %s', (includeTags) => {
    expect(read(page, ['markdown', 'html'], { includeTags })).not.toHaveProperty('matchesNothing')
  })
})

describe('excludeTags', () => {
  it.each([
    ['a tag', 'footer', 'Foot'],
    ['a selector', 'main > #two', 'Two'],
    ['part of a name', '*PROMO*', 'Promo'],
  ])('removes %s', (_, selector, text) => {
    const parts = read(page, ['markdown', 'html'], { excludeTags: [selector] })
    expect(parts.markdown).toContain('Head')
    expect(JSON.stringify(parts)).not.toContain(text)
  })

  it('are applied before includeTags', () => {
    expect(markdownOf(page, { includeTags: ['main'], excludeTags: ['h1', '.a', '.promo-box'] })).toBe('Two')
  })
})

it.each([
  ['includeTags', { includeTags: ['p', 'p[['] }],
  ['excludeTags', { excludeTags: ['p[['] }],
  ['attributes', { attributes: [{ selector: 'p[[', attribute: 'id' }] }],
])('the error for an invalid selector names its field, %s', (field, options) => {
  expect(() => read(page, ['markdown', 'attributes'], options)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining(`${field} holds a selector`) }),
  )
  expect(() => read(page, ['markdown', 'attributes'], options)).toThrow('p[[')
})
