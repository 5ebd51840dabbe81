import { describe, expect, it } from 'vitest'
import { main, prose } from './frame.ts'
import { markdownOf } from './read.ts'

/** With work that grows with the square of the page, each of these would take a minute and more. */
const many = 30_000
const numbered = (part: (n: number) => string) => Array.from({ length: many }, (_, n) => part(n)).join('')

describe('a page with very many pictures and links is read to its end', () => {
  it.each([
    ['pictures', numbered((n) => `<p><img src="/a/${n}.jpg" alt=""></p>`)],
    ['pictures in a link', `<a href="/x">w${numbered((n) => `<img src="/a/${n}.png">`)}</a>`],
    [
      'linked pictures beside a word',
      `<div>text ${numbered((n) => `<a href="/p/${n}"><img src="/a/${n}.jpg"></a>`)}</div>`,
    ],
    [
      'icons in a cell',
      `<table><tr><td>1</td><td>${'<img src="/icons/a.png" alt="yes">'.repeat(many)}</td></tr></table>`,
    ],
    ['pictures in a figure', `<figure>${numbered((n) => `<img src="/a/${n}.png">`)}</figure>`],
    ['ways to log in', `<div>${'<a href="/login">in</a> '.repeat(many)}x</div>`],
    ['empty rows', `<table><tr><th>A</th></tr>${'<tr><td></td></tr>'.repeat(many)}<tr><td>1</td></tr></table>`],
  ])('%s', (_, html) => {
    const markdown = markdownOf(`<main><h1>Bees</h1>${prose('bees')}${html}${prose('hives')}</main>`, main)
    expect(markdown.startsWith('# Bees')).toBe(true)
    expect(markdown.includes('something about hives')).toBe(true)
  })
})
