import { describe, expect, test } from 'vitest'
import { changedFields } from '../../src/engine/scrape/formats/change/tracking.ts'
import { fakeModel } from '../helpers/fake-model.ts'
import { changesForAll } from './change-kit.ts'

const changes = changesForAll()

const properties = { price: { type: 'number' }, captain: { type: 'string' } }
const byField = { tracking: { modes: ['json'], schema: { type: 'object', properties }, prompt: 'The ferry' } }
const old = 'Price: 20 euros|Captain: Bo Berg'
const now = 'Price: 25 euros|Captain: Bo Berg'

describe('the json mode', () => {
  test('lists the changed fields with their values', async () => {
    const { scrape } = await changes.begin()
    const url = changes.steps(old, old, now)
    const first = await scrape(url, byField)
    expect(first.changeTracking).toMatchObject({ changeStatus: 'new' })
    expect(first.changeTracking).not.toHaveProperty('json')
    expect(first.warning).toContain('the JSON was made by the built-in extractive method')
    expect((await scrape(url, byField)).changeTracking).not.toHaveProperty('json')
    const { changeTracking, metadata } = await scrape(url, byField)
    expect(changeTracking).toMatchObject({ changeStatus: 'changed', json: { price: { previous: 20, current: 25 } } })
    expect(changeTracking).not.toHaveProperty('diff')
    expect(metadata.llmMode).toBe('builtin')
  })

  test('asks a model, but not if the page is unchanged', async () => {
    const { scrape, ports } = await changes.begin()
    const model = fakeModel(({ input }) => ({ price: input[0]?.text.includes('25') ? 25 : 20 }))
    ports.model = model.port
    const url = changes.steps(old, old, now)
    for (const _ of [1, 2]) await scrape(url, byField)
    expect(model.questions).toHaveLength(1)
    const { changeTracking, metadata } = await scrape(url, byField)
    expect(changeTracking?.json).toEqual({ price: { previous: 20, current: 25 } })
    expect(metadata.llmMode).toBe('model')
    expect(model.questions[1]?.input[0]?.text).toContain('What to extract: The ferry')
  })

  test('has no result for a page that is gone or could not be read', async () => {
    const { scrape } = await changes.begin()
    const url = changes.steps(old, '404', '503')
    await scrape(url, byField)
    const { changeTracking } = await scrape(url, byField)
    expect(changeTracking).toMatchObject({ changeStatus: 'removed' })
    expect(changeTracking).not.toHaveProperty('json')
    expect((await scrape(url, byField)).warning).toContain('not tracked')
  })
})

test.each([
  [{ a: 1 }, { a: 1 }, {}],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, {}],
  [{ a: [1, 2] }, { a: [2, 1] }, { a: { previous: [1, 2], current: [2, 1] } }],
  [{ a: 1 }, { b: 2 }, { a: { previous: 1, current: null }, b: { previous: null, current: 2 } }],
  [{ a: null }, {}, {}],
])('%j became %j', (before, after, expected) => expect(changedFields(before, after)).toEqual(expected))
