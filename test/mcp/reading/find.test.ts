import { describe, expect, it, test } from 'vitest'
import { AppError } from '../../../src/kernel/error.ts'
import { findPassages, matcherOf } from '../../../src/surfaces/mcp/reading/find-passages.ts'

const search = async (text: string, find: string, bounds: { from?: number; end?: number; room?: number } = {}) => {
  const { room = 1100, ...range } = bounds
  return findPassages([{ text, ...range }], await matcherOf(find), { maxCharacters: room, maxPassages: 5 })
}
const best = async (text: string, find: string) => (await search(text, find)).passages[0]

const code = '```js\nconst client = new Client({\n  retries: 3,\n})\n\n# not a heading\nawait client.close()\n```'
const page = `# Client

A client keeps its connections.

## Retries

The client tries again by itself:

${code}

## Prices

| plan | price |
| --- | --- |
| small | 10 € |
| large | 25 € |

The small plan is for small teams. Caf\u00e9s pay half of the rate\\_limit.
`

describe('passages that match words', () => {
  it('have their heading and offset, best first', async () => {
    const passage = await best(page, 'small teams')
    expect(passage?.heading).toBe('Client > Prices')
    expect(passage?.text).toMatch(/^The small plan is for small teams\./)
    expect(page.slice(passage?.at)).toMatch(/^The small plan/)
  })

  it('include the code that words announce, and the text below a heading', async () => {
    expect((await best(page, 'tries again'))?.text).toBe(`The client tries again by itself:\n\n${code}`)
    expect((await best(page, 'Retries'))?.text).toContain(code)
  })

  it.each([
    ['cafes', 'Caf\u00e9s'],
    ['CAF\u00c9', 'Caf\u00e9s'],
    ['rate_limit', 'rate\\_limit'],
    ['connection', 'connections'],
    ['the retries', 'retries'],
    ['25 €', '25 €'],
  ])('match regardless of case, accents, endings and escapes: %s', async (find, text) => {
    expect((await best(page, find))?.text).toContain(text)
  })

  it('start with those that contain all words, and say if there are none', async () => {
    const text = 'A blue boat and a blue house.\n\nA red boat.\n\nA red house with a blue boat.'
    const all = await search(text, 'red boat blue house')
    expect(all.passages[0]?.text).toBe('A red house with a blue boat.')
    expect(all).toMatchObject({ isPartial: false, count: 3 })
    expect(await search(text, 'red boat elephant')).toMatchObject({ isPartial: true })
  })

  it('show a line of a long table, or the words around a hit in a long line', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `| item ${at} | ${at * 7} |`).join('\n')
    expect((await best(rows, 'item 321'))?.text).toBe('| item 321 | 2247 |')
    const passage = await best(`${'word '.repeat(20_000)}needle ${'word '.repeat(20_000)}`, 'needle')
    expect(passage?.text).toMatch(/^…(?:word )+needle (?:word ?)+…$/)
    expect(passage?.text.length).toBeLessThan(600)
    expect(passage?.at).toBe(100_000)
  })

  it('stay within the space available', async () => {
    const text = Array.from({ length: 900 }, (_, at) => `Paragraph ${at} about boats. ${'More. '.repeat(50)}`).join(
      '\n\n',
    )
    const { passages, count } = await search(text, 'boats', { room: 2000 })
    expect(count).toBe(900)
    expect(passages.length).toBeGreaterThan(2)
    expect(passages.reduce((sum, passage) => sum + passage.text.length, 0)).toBeLessThanOrEqual(2000)
  })

  it('are found in ten million characters', async () => {
    const filler = '## Part\n\nNothing of the kind is said here, at length.\n\n'.repeat(90_000)
    const passage = await best(`${filler}The secret tariff is 17 thalers.\n\n${filler}`, 'secret tariff')
    expect(passage).toMatchObject({ at: filler.length, text: 'The secret tariff is 17 thalers.' })
  })
})

describe('passages that match an expression', () => {
  it.each([
    ['/\\d+ €/', '| large | 25 € |', 2],
    ['/LARGE/i', '| large |', 1],
  ])('are found by %s', async (find, text, count) => {
    const rows = Array.from({ length: 99 }, () => '| filler of a table that is long | none |').join('\n')
    const found = await search(`${rows}\n| small | 10 € |\n| large | 25 € |\n`, find)
    expect(found.count).toBe(count)
    expect(found.passages.map((passage) => passage.text).join('\n')).toContain(text)
  })

  it.each(['/(/', '/a(?=b)/', '/(a)\\1/', '/(?:a{500}){500}/', '/[[:alpha:]/'])('%s is refused', async (find) => {
    await expect(matcherOf(find)).rejects.toBeInstanceOf(AppError)
    await expect(matcherOf(find)).rejects.toMatchObject({ code: 'BAD_REQUEST', details: [{ path: ['find'] }] })
  })

  it.each(['/usr/bin', '/', '//'])('%s is words', async (find) => {
    expect((await search(`Look at ${find} here.`, find)).count).toBe(1)
  })
})

test('passages of several pages are ranked together, each with its page', async () => {
  const pages = ['# A\n\nBoats and ropes.', '# B\n\nRopes alone.', '# C\n\nNothing here.'].map((text) => ({ text }))
  const found = findPassages(pages, await matcherOf('ropes boats'), { maxCharacters: 1000, maxPassages: 5 })
  expect(found.passages).toMatchObject([
    { page: 0, heading: 'A', text: 'Boats and ropes.' },
    { page: 1, heading: 'B', text: 'Ropes alone.' },
  ])
  expect(found).toMatchObject({ count: 2, isPartial: false })
  expect(pages[0]?.text.slice(found.passages[0]?.at)).toBe('Boats and ropes.')
})
