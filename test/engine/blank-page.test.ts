import { expect, test } from 'vitest'
import { fakeWorld } from '../helpers/fakes.ts'
import { scrapeIn } from '../helpers/scrape.ts'

test('a page without text is not sent to a language model, which would invent some', async () => {
  const world = fakeWorld()
  world.state.parts = () => ({ markdown: ' \n', metadata: {} })
  world.model.answers = () => ({ isOnPage: true, answer: '20 euros', lines: [1] })
  const formats = [
    { type: 'question', question: 'What do tickets cost?' },
    { type: 'highlights', query: 'pier' },
    { type: 'summary' },
    { type: 'json', schema: { type: 'object', properties: { price: { type: 'number' } } } },
  ]
  const document = await scrapeIn(world, { formats })
  expect(world.model.asked).toEqual([])
  expect(document).toMatchObject({ summary: '', highlights: '', json: {} })
  expect(document.answer).toBe('The page does not answer this question.')
  expect(document.warning).toContain('The page holds no text')
})
