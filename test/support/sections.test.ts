import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/engine/support/docs/indexed-fields.ts'

const split = (...lines: string[]) => sectionsOf({ path: 'a.md', text: lines.join('\n') })

describe('a page of the documentation is split', () => {
  it('at its headings, each with its parents and its lines', () => {
    const sections = split('# Crawls', 'Intro.', '## Pages', 'Which.', '### Skipped', 'Those.', '## Speed', 'Slow.')
    expect(sections.map(({ headings, firstLine, lastLine }) => [headings.join(' > '), firstLine, lastLine])).toEqual([
      ['Crawls', 1, 2],
      ['Crawls > Pages', 3, 4],
      ['Crawls > Pages > Skipped', 5, 6],
      ['Crawls > Speed', 7, 8],
    ])
  })

  it('not at a comment of a shell, and never inside code', () => {
    const code = Array.from({ length: 200 }, (_, at) => (at % 5 === 0 ? '' : `# line ${at} of a long program`))
    const sections = split('# Use', '```sh', ...code, '```', 'After it.')
    expect(sections.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([[1, 204]])
  })

  it('between paragraphs if a section is long, without losing a line', () => {
    const paragraphs = Array.from({ length: 40 }, (_, at) => [`Paragraph ${at} ${'word '.repeat(40)}`, '']).flat()
    const sections = split('# Long', ...paragraphs)
    expect(sections.length).toBeGreaterThan(3)
    expect(sections.map(({ firstLine }) => firstLine)).toEqual([
      1,
      ...sections.slice(0, -1).map(({ lastLine }) => lastLine + 1),
    ])
    expect(
      sections
        .map(({ text }) => text)
        .join('\n')
        .match(/Paragraph \d+/g),
    ).toHaveLength(40)
  })

  it('with the phrases of its heading, which its text does not contain', () => {
    const text = '# Webhooks\n\nEvents.\n<!-- a note -->'
    const [section] = sectionsOf({ path: 'a.md', text, askedAs: { Webhooks: 'callback; notify me' } })
    expect(section).toMatchObject({ askedAs: ['callback', 'notify me'], text: '# Webhooks\n\nEvents.' })
  })

  it('without error if a heading skips a level, or a page is empty', () => {
    expect(split('### Deep', 'x')[0]?.headings.filter(Boolean)).toEqual(['Deep'])
    expect(split('')).toEqual([])
  })
})
