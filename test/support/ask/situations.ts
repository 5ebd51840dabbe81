import { expect, test } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'

type Expected = {
  says: RegExp
  fix?: Record<string, unknown>
  result?: 'success' | 'failure' | 'skipped'
  confidence?: SupportAnswer['confidence']
}
/** Makes the trouble, and asks. */
export type Situation = [name: string, expected: Expected, happens: () => Promise<SupportAnswer | undefined>]

/** Each is created for real, and its question answered. */
export function diagnoses(situations: Situation[]): void {
  test.each(situations)('%s', async (_name, { says, fix, result, confidence }, happens) => {
    const answer = await happens()
    expect(answer).toMatchObject({ answer: expect.stringMatching(says), feedback: null })
    const sentences = answer?.answer.split(/(?<=[.!?]) (?=[A-Z])/) ?? []
    expect([2, 3, 4], answer?.answer).toContain(sentences.length)
    expect(answer?.fixParameters).toEqual(fix ?? null)
    if (result) expect(answer?.validation).toMatchObject({ result, tested: result !== 'skipped' })
    if (confidence) expect(answer).toMatchObject({ confidence })
  })
}
