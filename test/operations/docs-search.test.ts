import { describe, expect, test } from 'vitest'
import type { DocsHit } from '../../src/contracts/ports.ts'
import { fail } from '../../src/kernel/error.ts'
import { docsSearch } from '../../src/operations/support.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import type { ModelAnswers } from '../helpers/fake-model.ts'

const hit = (path: string, text: string, coverage = 1): DocsHit => ({
  section: { path, firstLine: 3, lastLine: 9, headings: ['Guide', 'Part'], text },
  coverage,
})
const delivery = hit(
  'webhooks.md',
  '## Delivery\n\nA delivery that fails is tried again after 1, 5 and 15 minutes. Receivers have 10 seconds to answer.',
)

async function ask(hits: readonly DocsHit[], answers?: ModelAnswers) {
  const world = fakeWorld()
  world.model.answers = answers
  const warnings: string[] = []
  const ports = { ...world.ports, docs: { find: async () => hits } }
  const ctx = { ...fakeCtx({ ports }), warn: (note: string) => void warnings.push(note) }
  const answer = await docsSearch.run({ question: 'When is a failed delivery tried again?' }, ctx)
  return { answer, warnings, questions: world.model.questions }
}

describe('an answer from the documentation', () => {
  test('quotes it if there is no model, with the lines that prove it', async () => {
    const { answer } = await ask([delivery])
    expect(answer.answer).toContain('tried again after 1, 5 and 15 minutes')
    expect(answer.evidence).toEqual([{ pathOrUrl: 'webhooks.md#L3-L9', reason: 'Guide > Part' }])
    expect(answer.usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })
    expect(answer.requestId).toMatch(/^req_/)
  })

  test.each([[[]], [[hit('a.md', 'Something else.', 0.3)]]])('admits that a question is not covered', async (hits) => {
    const { answer } = await ask(hits, () => expect.fail('without sections, no model is queried'))
    expect(answer).toMatchObject({ answer: 'The documentation does not cover this.', evidence: [] })
  })

  test('by a model uses the sections found, and names them', async () => {
    const other = hit('crawl.md', 'Another subject.')
    const { answer, questions } = await ask([other, delivery], () => ({
      isCovered: true,
      answer: 'After 1, 5 and 15 minutes.',
      sections: [2, 9],
    }))
    expect(answer).toMatchObject({
      answer: 'After 1, 5 and 15 minutes.',
      evidence: [{ pathOrUrl: 'webhooks.md#L3-L9' }],
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    })
    expect(questions[0]?.input[0]?.text).toContain('[2] webhooks.md')
  })

  test('quotes it if the model fails, and reports that', async () => {
    const { answer, warnings } = await ask([delivery], () => fail('MODEL_TIMEOUT'))
    expect(answer.answer).toContain('1, 5 and 15 minutes')
    expect(warnings).toEqual([expect.stringContaining('MODEL_TIMEOUT')])
  })
})
