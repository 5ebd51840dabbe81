import { describe, expect, it } from 'vitest'
import { fidelityCases } from './fidelity-cases.ts'
import { blocksCases } from './fidelity-blocks.ts'
import { codeCases } from './fidelity-code.ts'
import { footnotesCases } from './fidelity-footnotes.ts'
import { softwareCases } from './fidelity-software.ts'
import { textCases } from './fidelity-text.ts'
import { markdownOf } from './read.ts'

describe('markdown of the whole body', () => {
  it.each([...fidelityCases, ...codeCases, ...softwareCases, ...footnotesCases, ...blocksCases, ...textCases])(
    'keeps %s',
    (_, html, markdown) => expect(markdownOf(`<article>${html}</article>`).replace(/\u00A0/g, ' ')).toBe(markdown),
  )

  it.each([...footnotesCases, ...codeCases].filter(([name]) => /(?:Word|plain links|^formulas)/.test(name)))(
    'keeps %s in the main content',
    (_, html, markdown) => {
      const article = `<main><article><h1>T</h1><p>${'Words of an article, in whole sentences. '.repeat(20)}</p>${html}</article></main>`
      const [first = ''] = markdown.split('\n\n')
      expect(markdownOf(article, { onlyMainContent: true })).toContain(first)
    },
  )

  it('starts relative addresses at the base element', () => {
    const html = '<html><head><base href="https://cdn.ex.com/root/"></head><body><a href="x">x</a></body></html>'
    expect(markdownOf(html)).toBe('[x](https://cdn.ex.com/root/x)')
  })

  it('keeps images of the page on request', () => {
    const image = '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="B"></p>'
    expect(markdownOf(image, { removeBase64Images: false })).toBe('![B](data:image/png;base64,iVBORw0KGgo=)')
  })
})
