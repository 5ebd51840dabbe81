import { expect, test } from 'vitest'
import { service } from './kit.ts'

test.each([
  ['How do I verify that a webhook came from my server?', /X-Service-Signature/, /webhooks\.md#L\d+-L\d+/],
  ['how do I take a screenshot of the whole page', /fullPage/, /browser\.md/],
  ['Can I use Ollama?', /Ollama/, /models\.md/],
  ['What is a credit?', /credit/i, /rest\.md/],
])('%s is answered in sentences of the documentation', async (question, says, source) => {
  const { ask, call } = service()
  // A job that failed is not what the question is about.
  await call('scrape', { url: 'https://nowhere.invalid/' })
  const answered = await ask(question)
  expect(answered).toMatchObject({ feedback: null, fixParameters: null, validation: null })
  expect(answered?.answer).toMatch(says)
  expect(answered?.answer).toMatch(source)
  expect(answered?.answer.length).toBeLessThan(1200)
  expect(answered?.confidence).toMatch(/high|medium/)
})
