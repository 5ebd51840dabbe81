import { describe, expect, test } from 'vitest'
import { answerFrom, highlightsFrom } from '../../src/engine/understand/questions.ts'
import { summaryOf } from '../../src/engine/understand/page-summary.ts'

const ferry = `# The night ferry

The ferry sails every evening from the old harbour and reaches the island before sunrise.

## Frequently asked questions

### How much does a cabin cost?

A cabin costs 45 euros for one person and 60 euros for two. Children under six travel free.

### May I bring my dog?

Dogs are welcome on the outer deck and in cabins on deck four. They stay on a leash.

- ### Where do I board?

  Boarding is at pier seven, behind the fish market.

## Timetable

| Month | Departure |
| --- | --- |
| January | 21:30 |
| June | 23:00 |

\`\`\`js
const pier = findPier('seven') // May I bring my dog?
\`\`\`
`

describe('an answer', () => {
  test.each([
    ['How much does a cabin cost?', 'A cabin costs 45 euros'],
    ['cost of a cabin', 'A cabin costs 45 euros'],
    ['Can my dog come along? May I bring my dog?', 'Dogs are welcome'],
    ['Where do I board?', 'Boarding is at pier seven'],
    ['When does the ferry reach the island?', 'before sunrise'],
  ])('to %s is found', (question, expected) => {
    expect(answerFrom(ferry, question)?.text).toContain(expected)
  })

  test.each(['Who wrote Hamlet?', 'quantum chromodynamics', '', '???'])('to %j is not on the page', (question) => {
    expect(answerFrom(ferry, question)).toBeUndefined()
  })

  test.each(['', '\n\n', '---', '```\n```'])('is not on the empty page %j', (page) => {
    expect(answerFrom(page, 'How much does a cabin cost?')).toBeUndefined()
  })
})

describe('highlights', () => {
  test('are lines of the page, in its order', () => {
    const found = highlightsFrom(ferry, 'dogs on board')
    expect(found.some((line) => line.includes('Dogs are welcome'))).toBe(true)
    const places = found.map((line) => ferry.indexOf(line))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  test('are empty if nothing is about the question', () => {
    expect(highlightsFrom(ferry, 'volcano')).toEqual([])
    expect(highlightsFrom('', 'ferry')).toEqual([])
  })
})

describe('a summary', () => {
  const sentences = Array.from(
    { length: 40 },
    (_, nth) => `Sentence number ${nth} tells of the harbour and of its boats.`,
  )

  test('is a few sentences of the page', () => {
    const summary = summaryOf(sentences.join(' '), {})
    expect(summary.length).toBeLessThan(400)
    for (const part of summary.split(/(?<=\.) /)) expect(sentences).toContain(part)
  })

  test('starts with the description of the page', () => {
    const description =
      'A guide to the harbour of the town, to its boats and piers, and to the people who have worked there.'
    expect(summaryOf(sentences.join(' '), { description })).toMatch(/^A guide to the harbour/)
    expect(summaryOf('', { description })).toBe(description)
  })
})

test('a malicious page takes time proportional to its size', () => {
  const page = `${'[('.repeat(50_000)}\n${'# '.repeat(20_000)}\n${'a. '.repeat(50_000)}\n${'| '.repeat(50_000)}`
  expect(highlightsFrom(page, 'a question about nothing')).toEqual([])
  expect(summaryOf(page, { title: 'a' })).toBeTypeOf('string')
})
