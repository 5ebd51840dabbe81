import { describe, expect, test } from 'vitest'
import { failureOf, open } from '../helpers/fakes.ts'
import { type ModelScript, refuses, says } from '../helpers/model-server.ts'
import { dialects, modelAt, request } from './kit.ts'

const start = modelAt()
const hello = () => says('Hello')

/** A streamed answer: its parts as they arrived, and the final text. */
async function streamed(dialect: (typeof dialects)[number], script: ModelScript, maxOutputTokens = 500) {
  const { model, calls } = start(dialect, script)
  const shown: string[] = []
  const answer = await model.text(request({ maxOutputTokens, onText: (chunk) => void shown.push(chunk) }))
  return { ...answer, shown, calls }
}

describe.each(dialects)('text of a model over %s', (dialect) => {
  test('arrives complete, with its cost and the name of the model', async () => {
    const { model, calls } = start(dialect, () => says('  Hello, world.\n'))
    expect(await model.text(request())).toEqual({
      text: 'Hello, world.',
      isTruncated: false,
      model: 'large-2026',
      usage: { inputTokens: 11, outputTokens: 7 },
    })
    expect(calls).toMatchObject([
      { model: 'large', system: 'You extract data.', prompt: 'The page.', key: 'secret-key', isStreamed: false },
    ])
  })

  const [hi, link, sentence] = [
    'Hello <think> you',
    '[Think](https://example.com) twice.',
    'Close thoughts by </think>.',
  ]

  test.each([
    ['without the thoughts before it', '<think>Hm, hm, hm.</think>\n\nHello <think> you', hi],
    ['without thoughts in brackets', '[THINK]Hm.[/THINK]Hello <think> you', hi],
    ['without thoughts between blanks', ' \n<thinking>\nHm.\n</thinking>\nHello <think> you', hi],
    ['with a tag like that of thoughts', '<thin>ice</thin>', '<thin>ice</thin>'],
    ['with a link', link, link],
    ['with a bracket', '[a', '[a'],
    ['with a closing tag in a sentence', sentence, sentence],
  ])('is returned %s', async (_, reply, expected) => {
    const { model } = start(dialect, () => says(reply))
    const { text, shown } = await streamed(dialect, () => says(reply))
    const answers = [(await model.text(request())).text, text, shown.join('')]
    expect(answers).toEqual([expected, expected, expected])
  })

  test('is cut if the model does not stop', async () => {
    const { model } = start(dialect, () => says('word '.repeat(100_000)))
    const whole = await model.text(request({ maxOutputTokens: 100 }))
    expect([whole.isTruncated, whole.text.length]).toEqual([true, 1000])
    const { text, isTruncated, shown } = await streamed(dialect, () => says('word '.repeat(100_000)), 100)
    expect([isTruncated, text.length, shown.join('').length]).toEqual([true, 1000, 1000])
  })

  test.each([true, false])('that is empty is requested once more, then fails (streamed: %s)', async (isStreamed) => {
    const listener = isStreamed ? { onText: () => {} } : {}
    const late = start(dialect, (_, nth) => says(nth === 1 ? ' ' : 'Hello'))
    expect((await late.model.text(request(listener))).text).toBe('Hello')
    const { model, calls } = start(dialect, () => says(''))
    expect(await failureOf(model.text(request(listener)))).toMatchObject({ details: { reason: 'empty' } })
    expect(calls.length).toBe(2)
  })

  test('fails if the stream contains an error', async () => {
    const { model } = start(dialect, () => ({
      headers: { 'content-type': 'text/event-stream' },
      body: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"no"}}\n\n',
    }))
    expect(await failureOf(model.text(request({ onText: () => {} })))).toMatchObject({ details: { reason: 'busy' } })
  })

  test('ends with the signal and its reason', async () => {
    const isCalled = open()
    const { model } = start(dialect, () => {
      isCalled.give()
      return { trouble: 'hangs' }
    })
    const controller = new AbortController()
    const answer = failureOf(model.text(request({ signal: controller.signal })))
    await isCalled.promise
    controller.abort(new Error('enough'))
    expect(await answer).toEqual(new Error('enough'))
  })

  test('is requested from the fast model for easy work, if one is set', async () => {
    const { model, calls } = start(dialect, hello, { fastModel: 'small' })
    await model.text(request({ effort: 'fast' }))
    await model.text(request({ effort: 'best' }))
    expect(calls.map((call) => call.model)).toEqual(['small', 'large'])
    const single = start(dialect, hello)
    await single.model.text(request({ effort: 'fast' }))
    expect(single.calls.map((call) => call.model)).toEqual(['large'])
  })

  test('is requested for at most eight calls at a time', async () => {
    const gate = open()
    let running = 0
    let most = 0
    const eight = open()
    const { model, calls } = start(dialect, async () => {
      running += 1
      most = Math.max(most, running)
      if (running === 8) eight.give()
      await gate.promise
      running -= 1
      return says('Hello')
    })
    const answers = Array.from({ length: 12 }, () => model.text(request()))
    await eight.promise
    expect(calls.length).toBe(8)
    gate.give()
    await Promise.all(answers)
    expect([most, calls.length]).toEqual([8, 12])
  })
})

describe('the cost of a question', () => {
  test('includes all repeated requests, even if they failed in the end', async () => {
    const { model, spent } = start('openai', () => says('no JSON'))
    await failureOf(model.object({ ...request(), schema: { type: 'object' } }))
    expect(spent).toMatchObject([
      {
        request: { task: 'json', teamId: 'acme', keyName: 'laptop' },
        spent: { model: 'large-2026', calls: 2, inputTokens: 22, outputTokens: 14 },
      },
    ])
  })

  test('is estimated if the server does not report it', async () => {
    const { model, spent } = start('openai', () => says('twelve chars', { usage: null }))
    await model.text(request({ system: 'x'.repeat(40), input: [{ role: 'user', text: 'y'.repeat(39) }] }))
    expect(spent).toMatchObject([{ spent: { inputTokens: 20, outputTokens: 3 } }])
  })
})

test('a limit is sent in the field that the server expects', async () => {
  const { model, calls } = start('openai', ({ body }) =>
    'max_tokens' in body
      ? refuses(400, "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
      : says('Hello'),
  )
  await model.text(request())
  await model.text(request())
  expect(calls.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
    [500, undefined],
    [undefined, 500],
    [undefined, 500],
  ])
})
