import { describe, expect, test } from 'vitest'
import type { PageContent } from '../../src/contracts/page-content.ts'
import {
  answerFrom,
  answerOf,
  highlightsFrom,
  highlightsOf,
  withQuestions,
} from '../../src/engine/understand/questions.ts'
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
  ])('to %s is found', (question, expected) => expect(answerFrom(ferry, question)?.text).toContain(expected))

  test.each([
    ...['Who wrote Hamlet?', 'quantum chromodynamics', '', '???'].map((question) => [question, ferry]),
    ...['', '\n\n', '---', '```\n```'].map((page) => ['How much does a cabin cost?', page]),
  ] as [string, string][])('to %j is missing on a page without it: %#', (question, page) => {
    expect(answerFrom(page, question)).toBeUndefined()
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
  const sentences = Array.from({ length: 40 }, (_, nth) => `Sentence number ${nth} is about the harbour and its boats.`)

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

const answered = [
  { question: 'What do tickets for children cost?', answer: 'Children below the age of six travel free of charge.' },
  { question: 'Which pier does it leave from?', answer: 'All our ferries leave from pier seven.' },
]
const page: PageContent = {
  markdown: '# Ferry\n\nThe **ferry** sails every evening.\n\nTickets cost 20 euros.',
  text: '# Ferry\nThe ferry sails every evening.\nTickets cost 20 euros.\nDogs wear a muzzle on the upper deck.',
  facts: { markup: [], shown: [], questions: answered },
}

describe('a question', () => {
  test('that the page asks itself gets the answer of the page', () => {
    expect(answerOf(page, 'What do the tickets for children cost')?.text).toBe(answered[0]?.answer)
  })
  test('that is about something else is answered from the text', () => {
    expect(answerOf(page, 'When does the ferry sail?')?.text).toMatch(/^The ferry sails every evening\./)
    expect(answerOf(page, 'Who painted Guernica?')).toBeUndefined()
  })
})

describe('highlights of a page with questions', () => {
  test('are from the whole page, with the markup of the main content', () => {
    expect(highlightsOf(page, 'muzzle for dogs')).toEqual(['Dogs wear a muzzle on the upper deck.'])
    expect(highlightsOf(page, 'evening')[0]).toBe('The **ferry** sails every evening.')
  })
  test('are the answer if the page asks the same', () => {
    expect(highlightsOf(page, 'which pier it leaves from')).toEqual([answered[1]?.answer])
  })
})

test('text sent to a model contains the questions that the main content lost', () => {
  expect(withQuestions(page)).toContain('### Which pier does it leave from?\n\nAll our ferries leave from pier seven.')
})
