import { describe, expect, test } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import type { ModelAnswers } from '../helpers/fake-model.ts'
import { failureOf } from '../helpers/fakes.ts'
import { Died, honest, newJournal, page, run, type Web, webWorld } from './kit.ts'

const tower: Web = {
  'https://one.test/tower': page(
    'Tower of Varn',
    '<p>The tower of Varn is 54 metres high.</p><a href="/visit">Visit the tower</a>',
  ),
  'https://one.test/visit': page('Visit noindex', '<p>The tower of Varn opens at nine.</p>'),
  'https://two.test/varn': page('Varn', '<p>In Varn the tower is 57 metres high, says the town.</p>'),
  'https://else.test/bread': page('Bread', '<p>Bread is baked with flour.</p>'),
}
const lamp = (price: number) => page('Lamp Lumo', `<p>The lamp Lumo gives light.</p><ul><li>Price: ${price}</li></ul>`)
const question = { prompt: 'How high is the tower of Varn?' }
const [string, number] = [{ type: 'string' }, { type: 'number' }]
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const shop = { 'https://shop.test/lamp': page('Lamp', '<p>The lamp Lumo</p><p>Price: 20 euros</p>') }
const both = 'The tower of Varn is 54 metres high. [1]\nIn Varn the tower is 57 metres high, says the town. [2]'
/** An honest model that fails if the schema of a question contains a text. */
const failsAt =
  (part: string, code: 'MODEL_FAILED' | 'MODEL_TIMEOUT' = 'MODEL_FAILED'): ModelAnswers =>
  (modelQuestion) => {
    if (JSON.stringify(modelQuestion.schema).includes(part)) throw failure(code)
    return honest()(modelQuestion)
  }
const creditsIn = (journal: ReturnType<typeof newJournal>) =>
  [...journal.steps.values()].reduce((sum, { credits }) => sum + credits, 0)

describe('with a language model', () => {
  test('an answer names and quotes the pages that support it; if they disagree, both are returned', async () => {
    const world = webWorld(tower)
    const result = await run(world, question)
    expect(result.data).toEqual({ answer: both })
    expect(result.sources).toEqual({ answer: ['https://one.test/tower', 'https://two.test/varn'] })
    expect(result.evidence).toContainEqual({
      field: 'answer',
      url: 'https://one.test/tower',
      quote: 'The tower of Varn is 54 metres high.',
    })
    expect(result.conflicts).toMatchObject([
      { statements: [{ url: 'https://one.test/tower' }, { url: 'https://two.test/varn' }] },
    ])
    expect(result).toMatchObject({ notFound: [], llmMode: 'model', model: 'fake' })
    expect(result.tokensUsed).toBe(world.model.questions.length * 15)
  })

  test('data is kept if the model names no sources, and its sources are then searched for', async () => {
    const journal = newJournal()
    const schema = object({ price: number })
    const world = webWorld(shop, failsAt('"sources"'))
    expect(await run(world, { prompt: 'Price of the lamp Lumo', schema }, { journal })).toMatchObject({
      data: { price: 20 },
      sources: { price: ['https://shop.test/lamp'] },
      llmMode: 'model',
    })
    expect(journal.notes.join()).toContain('named no usable sources')
  })

  test('data follows the schema, each field with its sources; missing fields are omitted and listed', async () => {
    const schema = object({ price: number, weight: string }, ['price', 'weight'])
    const result = await run(webWorld(shop), { prompt: 'Price and weight of the lamp Lumo', schema })
    expect(result.data).toEqual({ price: 20 })
    expect(result.sources).toEqual({ price: ['https://shop.test/lamp'] })
    expect(result.notFound).toEqual(['weight'])
  })

  test('a field that no note supports is dropped, whatever the model says', async () => {
    const say = honest()
    const world = webWorld(tower, (modelQuestion) => {
      const { properties = {} } = (modelQuestion.schema ?? {}) as { properties?: object }
      if ('height' in properties) return { height: 54, founder: 'Ada of Varn' }
      if ('sources' in properties)
        return {
          sources: [1, 99].map((note, at) => ({ field: at + 1, notes: [note] })),
          contradictions: [{ about: 'x', notes: [1, 99] }],
        }
      return say(modelQuestion)
    })
    const schema = object({ height: number, founder: string })
    const result = await run(world, { ...question, schema })
    expect(result).toMatchObject({ data: { height: 54 }, notFound: ['founder'], conflicts: [] })
    expect(JSON.stringify(result)).not.toContain('Ada')
  })

  test('a model that repeats itself is redirected, and ends', async () => {
    const world = webWorld(tower, (modelQuestion) =>
      JSON.stringify(modelQuestion.schema).includes('"action"')
        ? { action: 'search', query: 'tower', numbers: [] }
        : honest()(modelQuestion),
    )
    const result = await run(world, question)
    expect(result.pages.map(({ url }) => url).toSorted()).toEqual(Object.keys(tower).toSorted())
    expect(result.data).toMatchObject({ answer: expect.stringContaining('54') })
  })

  test.each([
    ['answer', failsAt('"claims"', 'MODEL_TIMEOUT'), /^The language model could not continue \(MODEL_TIMEOUT/],
    [
      'read a page',
      failsAt('"notes":{"type":"array","items":{"type":"object"'),
      /not read \d of the pages \(MODEL_FAILED/,
    ],
  ])('the built-in method answers from the pages read so far if the model cannot %s', async (_, answers, warning) => {
    const journal = newJournal()
    const input = { ...question, urls: ['https://one.test/tower'] }
    const result = await run(webWorld(tower, answers), input, { journal })
    expect(result).toMatchObject({ llmMode: 'builtin', data: { answer: expect.stringContaining('54 metres') } })
    expect(journal.notes).toContainEqual(expect.stringMatching(warning))
  })
})

describe('a budget', () => {
  test.each([1, 2])('limits the pages to %s', async (maxPages) => {
    const world = webWorld(tower)
    const result = await run(world, { ...question, maxPages })
    expect(result.pages).toHaveLength(maxPages)
    expect(world.fetched.filter(({ url }) => !url.endsWith('/robots.txt'))).toHaveLength(maxPages)
  })

  test.each([1, 2, 3, 4])('limits the credits to %s', async (maxCredits) => {
    const journal = newJournal()
    await run(webWorld(tower), { ...question, maxCredits, urls: ['https://one.test/tower'] }, { journal })
    expect(creditsIn(journal)).toBeLessThanOrEqual(maxCredits)
    expect(creditsIn(journal)).toBeGreaterThan(0)
  })

  test('limits the tokens: the built-in method does the rest of the work', async () => {
    const world = webWorld(tower)
    const result = await run(world, { ...question, maxTokens: 3000, urls: ['https://one.test/tower'] })
    expect(result).toMatchObject({ llmMode: 'builtin', data: { answer: expect.stringContaining('54 metres') } })
    expect(result.tokensUsed).toBeLessThanOrEqual(3000)
  })

  test('limits the time: reading ends, and the findings so far are returned', async () => {
    const world = webWorld(tower)
    const { search } = world.ports
    world.ports.search = (request) => {
      world.clock.pass(90_000)
      return search(request)
    }
    const result = await run(world, { ...question, maxSeconds: 100, urls: ['https://one.test/tower'] })
    expect(result.pages).toEqual([{ url: 'https://one.test/tower', title: 'Tower of Varn' }])
    expect(result.data).toMatchObject({ answer: expect.stringContaining('54') })
  })
})

describe('without a language model', () => {
  test('the fields of a strict URL are filled whatever the words of the prompt', async () => {
    const schema = object({ lamps: { type: 'array', items: object({ name: string, price: number }) } })
    const urls = ['https://shop.test/1', 'https://shop.test/2']
    const web = { [urls[0]!]: lamp(20), [urls[1]!]: page('Lamp Sol', '<p>It shines.</p><ul><li>Price: 30</li></ul>') }
    const result = await run(webWorld(web, 'none'), { prompt: 'Fill in', urls, strictConstrainToURLs: true, schema })
    expect(result.data).toEqual({
      lamps: [
        { name: 'Lamp Lumo', price: 20 },
        { name: 'Lamp Sol', price: 30 },
      ],
    })
  })

  test('the answer consists of relevant passages, each with its page', async () => {
    const journal = newJournal()
    const result = await run(webWorld(tower, 'none'), question, { journal })
    expect(result.data).toEqual({ answer: both })
    expect(result.sources).toEqual({ answer: ['https://one.test/tower', 'https://two.test/varn'] })
    expect(result).toMatchObject({ llmMode: 'builtin', tokensUsed: 0 })
    expect(journal.notes).toEqual([expect.stringContaining('No language model is configured')])
  })

  test('a schema is filled from the pages, and differing values are reported', async () => {
    const web = { 'https://a.test/lumo': lamp(20), 'https://b.test/lumo': lamp(25) }
    const schema = object({ price: number, weight: string })
    const result = await run(webWorld(web, 'none'), { prompt: 'price of the lamp Lumo', schema })
    expect(result).toMatchObject({
      data: { price: 20 },
      sources: { price: ['https://a.test/lumo'] },
      notFound: ['weight'],
      conflicts: [{ about: 'price', statements: [{ says: '20' }, { says: '25' }] }],
    })
  })
})

describe('permitted addresses', () => {
  test('robots.txt forbids pages that the agent finds, but not those that a person names', async () => {
    const web = { ...tower, 'https://one.test/robots.txt': 'User-agent: *\nDisallow: /' }
    const found = await run(webWorld(web), question)
    expect(found.pages).toContainEqual({
      url: 'https://one.test/tower',
      error: 'CRAWL_DENIAL: robots.txt forbids this page.',
    })
    expect(found.sources).toEqual({ answer: ['https://two.test/varn'] })
    const named = await run(webWorld(web), { ...question, urls: ['https://one.test/tower'] })
    expect(named.pages[0]).toEqual({ url: 'https://one.test/tower', title: 'Tower of Varn' })
  })

  test('strictConstrainToURLs permits only the named pages', async () => {
    const world = webWorld(tower)
    const result = await run(world, { ...question, urls: ['https://else.test/bread'], strictConstrainToURLs: true })
    expect(world.fetched.map(({ url }) => url)).toEqual(['https://else.test/bread'])
    expect(result.notFound).toEqual(['answer'])
  })
})

test('an agent continued by another process after any step repeats nothing and returns the same answer', async () => {
  const whole = newJournal()
  const expected = await run(webWorld(tower), question, { journal: whole })
  for (let dieAfter = 0; dieAfter < whole.steps.size; dieAfter++) {
    const world = webWorld(tower)
    const journal = newJournal()
    expect(await failureOf(run(world, question, { journal, dieAfter }))).toBeInstanceOf(Died)
    expect(await run(world, question, { journal })).toEqual(expected)
    expect([...journal.steps.keys()].toSorted()).toEqual([...whole.steps.keys()].toSorted())
    expect(creditsIn(journal)).toBe(creditsIn(whole))
    const pages = world.fetched.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'))
    expect(new Set(pages).size).toBe(pages.length)
  }
})

test('an agent ends when it is cancelled', async () => {
  const abort = new AbortController()
  const world = webWorld(tower, () => {
    abort.abort(new Error('cancelled'))
    throw failure('MODEL_TIMEOUT')
  })
  expect(await failureOf(run(world, question, { signal: abort.signal }))).toMatchObject({ message: 'cancelled' })
})
