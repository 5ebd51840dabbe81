import type { Model, ModelRequest } from '../../src/contracts/model-port.ts'
import { failure } from '../../src/kernel/error.ts'

export type AskedModel = ModelRequest & { schema?: object }
/** Returns the model's answer: text, or the value of an object. Throws to simulate a failing model. */
export type ModelAnswers = (question: AskedModel) => unknown

type FakeModel = { port: Model; questions: AskedModel[]; contextTokens: number; answers: ModelAnswers | undefined }

/** A model that answers by a function and records its questions. Without a function there is no model. */
export function fakeModel(answers?: ModelAnswers): FakeModel {
  const questions: AskedModel[] = []
  const facts = { model: 'fake', usage: { inputTokens: 10, outputTokens: 5 }, isTruncated: false }
  const answerTo = async (question: AskedModel): Promise<unknown> => {
    if (!fake.answers) throw failure('MODEL_UNAVAILABLE')
    questions.push(question)
    question.signal.throwIfAborted()
    return fake.answers(question)
  }
  const port: Model = {
    isSet: () => fake.answers !== undefined,
    contextTokens: () => fake.contextTokens,
    async text(request) {
      const text = String(await answerTo(request))
      request.onText?.(text)
      return { ...facts, text }
    },
    object: async (request) => ({ ...facts, value: await answerTo(request), jsonMode: 'json_schema' }),
  }
  const fake: FakeModel = { port, questions, contextTokens: 32_000, answers }
  return fake
}
