import { expect, test } from 'vitest'
import type { SearchQuery } from '../../../src/contracts/search-port.ts'
import { indexedText } from '../../../src/engine/store/sqlite/page-index/index-text.ts'
import { needlesOf, passageOf } from '../../../src/engine/store/sqlite/page-index/passage.ts'
import { aQuery } from '../../contracts/page-index-world.ts'

const passage = (markdown: string, query: Partial<SearchQuery>) => passageOf(markdown, needlesOf(aQuery(query)))

const page = `# Deliveries

Some words of welcome that say nothing.

## Retries

A failed delivery is tried again. The *first* retry comes after **one minute**, and [each further one](https://example.com/x) doubles the wait.

- \`signature\`: an HMAC of the body
- \`timestamp\`: when it was sent

| Status | Meaning |
| --- | --- |
| 410 | The subscription ends |

\`\`\`ts
verify(body, secret)
\`\`\`
`

test.each([
  [
    'the sentences with the words',
    ['retry', 'minute'],
    'A failed delivery is tried again. The first retry comes after one minute, and each further one doubles the wait.',
  ],
  [
    'another form of a word',
    ['doubling'],
    'The first retry comes after one minute, and each further one doubles the wait.',
  ],
  ['an item of a list', ['hmac'], 'signature: an HMAC of the body'],
  ['a row of a table', ['subscription'], '410 · The subscription ends'],
  ['code', ['verify'], 'verify(body, secret)'],
  [
    'a heading, where nothing else fits',
    ['retries'],
    'The first retry comes after one minute, and each further one doubles the wait.',
  ],
])('a passage contains %s', (_, terms, expected) => expect(passage(page, { terms })).toContain(expected.slice(-60)))

test('text under a heading that contains the query is returned before text elsewhere', () => {
  const markdown = `# A\n\nThe limit is nice to know of, here as well.\n\n# Timeouts\n\nThe limit is thirty seconds, and not a second more.`
  expect(passage(markdown, { terms: ['timeout', 'limit'] })).toBe('The limit is thirty seconds, and not a second more.')
})

test('a phrase counts more than its separate words', () => {
  const markdown = `A gateway in bad weather sees a lot.\n\nThe answer is bad gateway more often than one likes.`
  expect(passage(markdown, { phrases: ['bad gateway'] })).toContain('The answer is bad gateway')
})

test('the rarer word counts more', () => {
  const markdown = `${'Our widget is a good widget to have around.\n\n'.repeat(9)}The flange is a thing that holds it in place.`
  expect(passage(markdown, { terms: ['widget', 'flange'] })).toContain('flange')
})

test.each([
  ['no word of the query', { terms: ['submarine'] }],
  ['a query without words', { site: ['example.com'] }],
  ['a query for pages like one', { terms: ['retry'], related: 'https://example.com' }],
])('no passage is found for %s', (_, query) => expect(passage(page, query)).toBeUndefined())

test.each([
  ['one endless word', 'x'.repeat(5000)],
  ['an endless sentence', 'word and another word '.repeat(400)],
  ['an endless sentence without spaces', '汉字'.repeat(2000)],
  ['many sentences', 'This is a word. '.repeat(400)],
  ['symbols beyond the basic plane', '𠀀word'.repeat(600)],
])('a passage of %s has at most 300 characters, and no character is split', (_, markdown) => {
  const found = passage(markdown, { terms: ['word', '汉字', 'x'.repeat(300)] })
  expect((found ?? '').length).toBeLessThanOrEqual(300)
  expect(found?.isWellFormed() ?? true).toBe(true)
})

test.each([
  ['stars', '**b'],
  ['brackets', '[b]('],
  ['open brackets', '['],
  ['angles', '](<b'],
  ['underscores', '_b '],
  ['ticks', '`b'],
  ['ends of sentences', 'b. '],
  ['pipes', '|b'],
])('a page of %s alone is read to its end', (_, part) => {
  const markdown = part.repeat(45_000 / part.length)
  expect(passage(`${markdown}\nThe needle.`, { terms: ['needle', part] })).toBeDefined()
  expect(passage(`${markdown} needle`, { terms: ['needle'] })).toContain('needle')
  expect(indexedText(markdown).length).toBeGreaterThan(0)
})

test('headings of the first million characters of a long page are indexed, as many as fit', () => {
  const words = 'word '.repeat(10_000)
  expect(indexedText(`${words}\n# Near\n\n## Beside\n`)).toMatch(/word\s+# Near\n## Beside$/)
  expect(indexedText(`${words.repeat(20)}\n# Far\n`)).not.toContain('Far')
  expect(indexedText(`${words}\n${'# a\n'.repeat(100_000)}`).length).toBeLessThan(30_000)
})
