import { describe, expect, test } from 'vitest'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { answerOf, highlightsOf, withQuestions } from '../../src/engine/understand/questions.ts'

const asked = [
  { question: 'What do tickets for children cost?', answer: 'Children below the age of six travel free of charge.' },
  { question: 'Which pier does it leave from?', answer: 'All our ferries leave from pier seven.' },
]
const page: PageContent = {
  markdown: '# Ferry\n\nThe **ferry** sails every evening.\n\nTickets cost 20 euros.',
  text: '# Ferry\nThe ferry sails every evening.\nTickets cost 20 euros.\nDogs wear a muzzle on the upper deck.',
  facts: { markup: [], shown: [], questions: asked },
}

describe('a question', () => {
  test('that the page asks itself gets the answer of the page', () => {
    expect(answerOf(page, 'What do the tickets for children cost')?.text).toBe(asked[0]?.answer)
  })
  test('that is about something else is answered from the text', () => {
    expect(answerOf(page, 'When does the ferry sail?')?.text).toMatch(/^The ferry sails every evening\./)
    expect(answerOf(page, 'Who painted Guernica?')).toBeUndefined()
  })
})

describe('highlights', () => {
  test('come from the whole page, marked as in the main content if they are in it', () => {
    expect(highlightsOf(page, 'muzzle for dogs')).toEqual(['Dogs wear a muzzle on the upper deck.'])
    expect(highlightsOf(page, 'evening')[0]).toBe('The **ferry** sails every evening.')
  })
  test('are the answer if the page asks the same', () => {
    expect(highlightsOf(page, 'which pier it leaves from')).toEqual([asked[1]?.answer])
  })
})

describe('text sent to a model', () => {
  test('contains the questions that the main content lost', () => {
    expect(withQuestions(page)).toContain(
      '### Which pier does it leave from?\n\nAll our ferries leave from pier seven.',
    )
  })
})
