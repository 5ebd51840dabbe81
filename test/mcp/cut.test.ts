import { describe, expect, it } from 'vitest'
import { cutEnd, offPair, openFence } from '../../src/surfaces/mcp/reading/outline.ts'
import { longText } from './toy.ts'

describe('a long text is cut', () => {
  const filler = 'word '.repeat(15)
  it.each([
    ['before a heading', `${filler}\n\nmore\n## Next\nrest ${filler}`, '## Next'],
    ['after a paragraph', `${filler}line\nline\n\nThen ${filler}`, 'Then'],
    ['after a line', `${filler}line\nThen ${filler}`, 'Then'],
    ['after a sentence', `${filler}end. Then ${'x'.repeat(90)}`, 'Then'],
    ['after a Chinese sentence', `${'字'.repeat(80)}。${'字'.repeat(90)}`, '字'],
    ['between words', `${filler}${'x'.repeat(90)}`, 'x'],
  ])('%s', (_sentence, text, next) => {
    const end = cutEnd(text, 0, 100)
    expect(end).toBeLessThanOrEqual(100)
    expect(end).toBeGreaterThanOrEqual(75)
    expect(text.slice(end).startsWith(next)).toBe(true)
  })

  it('but not inside a surrogate pair', () => {
    for (const room of [9, 10, 11]) {
      const end = cutEnd('😀'.repeat(50), 0, room)
      expect(end % 2).toBe(0)
      expect(end).toBeGreaterThan(0)
    }
    expect(offPair('a😀', 2)).toBe(1)
    expect(offPair('a😀', 3)).toBe(3)
  })

  it('preferably before a code block', () => {
    const text = `${'a'.repeat(60)}\n\`\`\`js\n${'x = 1\n'.repeat(40)}\`\`\`\n`
    expect(text.slice(cutEnd(text, 0, 100))).toMatch(/^```js/)
  })

  it.each([2, 7, 50, 333, 4000])('into pieces of %i that lose nothing and always advance', (room) => {
    const text = longText(60)
    const pieces: string[] = []
    for (let from = 0; from < text.length;) {
      const end = cutEnd(text, from, room)
      expect(end).toBeGreaterThan(from)
      expect(end - from).toBeLessThanOrEqual(room + 1)
      pieces.push(text.slice(from, end))
      from = end
    }
    expect(pieces.join('')).toBe(text)
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([])
  })
})

it.each([
  ['a closed block', '```\na\n```\n', undefined],
  ['an open block', 'a\n~~~ py\nb', '~~~'],
  ['a shorter mark inside a block', '````\n```\n', '````'],
  ['another mark inside a block', '```\n~~~\n', '```'],
  ['a mark followed by words inside a block', '```\n``` js\n', '```'],
  ['code within a line', '``` a ``` b\n', undefined],
  ['a mark indented as code', '    ```\n', undefined],
  ['a mark after a mark within a line', 'a ``` b\n   ~~~\n```\n', '~~~'],
  ['a mark after another end of line', 'a\r```\u2028b', '```'],
])('after %s, the open code block is known', (_sentence, text, mark) => {
  expect(openFence(text, text.length)?.mark).toBe(mark)
})
