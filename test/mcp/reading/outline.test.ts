import { describe, expect, it } from 'vitest'
import { headingsOf, nameOf, outlineText } from '../../../src/surfaces/mcp/reading/outline.ts'

const titles = (markdown: string) => headingsOf(markdown).map(nameOf)

describe('the headings of a page', () => {
  it('have their ancestors, and end at the next heading of their level', () => {
    const text = '# A\n\none\n\n## B\n\ntwo\n\n### C\n\n## D ##\n\n# E\n'
    expect(titles(text)).toEqual(['A', 'A > B', 'A > B > C', 'A > D', 'E'])
    expect(
      headingsOf(text).map(({ at, end }) => text.slice(at, end).split('\n')[0] + text.slice(end, end + 4)),
    ).toEqual(['# A# E\n', '## B## D', '### C## D', '## D ### E\n', '# E'])
  })

  it.each([
    ['backticks', '# A\n```sh\n# no\n```\n# B'],
    ['tildes around backticks', '# A\n~~~\n```\n# no\n~~~\n# B'],
    ['a longer fence', '# A\n````\n```\n# no\n````\n# B'],
    ['a fence that is not closed by one with a language', '# A\n```\n```js\n# no\n```\n# B'],
    ['an indented line', '# A\n\n    # no\n\n# B'],
    ['no space', '# A\n#no\n#!/bin/sh\n# B'],
    ['no title', '# A\n#\n## \n# B'],
  ])('are not read from code and similar text: %s', (_, markdown) => expect(titles(markdown)).toEqual(['A', 'B']))
})

describe('an outline that is too long', () => {
  const headings = headingsOf('# A\n\n## B\n\ntext\n\n### C\n\n## D\n')

  it('drops the deepest headings first, then the last ones', () => {
    expect(outlineText(headings, 0, 42)).toBe('0 # A (29)\n5 ## B (19)\n24 ## D (5)')
    expect(outlineText(headings, 0, 15)).toBe('0 # A (29)')
    expect(outlineText(headings.slice(3), 0, 5)).toBe('')
    expect(outlineText(headingsOf('# A\n# B\n# C\n'), 0, 20)).toBe('0 # A (4)\n…')
  })
})
