import { describe, expect, it } from 'vitest'
import { parsePeriod } from '../../src/engine/search/query/parse-query.ts'
import { noon } from '../helpers/fakes.ts'
import { chainOf, failing, hit, hits, namesOf, provider } from './kit.ts'

const minute = 60_000

describe('providers are called', () => {
  it('one after the other until one has an answer', async () => {
    const [one, two, three] = [
      provider('one', failing('rate limited')),
      provider('two', hits('a', 'b')),
      provider('three', hits('c')),
    ] as const
    const { search } = chainOf([one, two, three])
    const found = await search({ limit: 2 })
    expect(namesOf(found.hits)).toEqual(['a', 'b'])
    expect(found.notes).toEqual(['Without one (rate limited).'])
    expect(found.isUnanswered).toBe(false)
    expect([one, two, three].map(({ requests }) => requests.length)).toEqual([1, 1, 0])
  })

  it('until enough results match the query', async () => {
    const away = hit('away', { url: 'https://notsilk.example/away' })
    const { search } = chainOf([provider('one', [away, ...hits('a')]), provider('two', hits('a', 'b', 'c'))])
    const found = await search({ limit: 2, query: 'silk site:silk.example' })
    expect(namesOf(found.hits).toSorted()).toEqual(['a', 'b'])
  })

  it('only for what they can search', async () => {
    const web = provider('web', hits('a'), { sources: new Set(['web']) })
    const papers = provider('papers', hits('b'), { categories: new Set(['research']) })
    await chainOf([web, papers]).search({ source: 'news' })
    expect([web.requests, papers.requests]).toEqual([[], []])
  })

  it('first those for the category, and then the others', async () => {
    const general = provider('general', [hit('g', { url: 'https://github.com/general' })])
    const code = provider('code', [hit('c', { url: 'https://github.com/code' })], { categories: new Set(['github']) })
    const { search } = chainOf([general, code])
    expect(namesOf((await search({ category: 'github', limit: 1 })).hits)).toEqual(['code'])
    expect(general.requests).toEqual([])
    expect(namesOf((await search({ category: 'github', limit: 5 })).hits).toSorted()).toEqual(['code', 'general'])
  })
})

describe('cached answers', () => {
  it('replace a request for ten minutes', async () => {
    const one = provider('one', hits('a'))
    const { search, clock } = chainOf([one])
    await search()
    clock.pass(10 * minute)
    expect(namesOf((await search()).hits)).toEqual(['a'])
    expect(one.requests).toHaveLength(1)
    clock.pass(1)
    await search()
    expect(one.requests).toHaveLength(2)
  })

  it('are used for a day if no provider answers, with a warning', async () => {
    const one = provider('one', hits('a'))
    const { search, clock } = chainOf([one])
    await search()
    one.behave(failing('unreachable'))
    clock.pass(24 * 60 * minute)
    expect(await search()).toMatchObject({
      hits: hits('a'),
      isUnanswered: false,
      notes: ['one failed (unreachable): It is unreachable.', 'Results of the last 24 hours are shown instead.'],
    })
    clock.pass(1)
    expect((await search()).isUnanswered).toBe(true)
  })

  it('from the local index are never used, so a page that was just read is found', async () => {
    const { search, local } = chainOf([provider('one', hits('a'))])
    await search()
    local.behave(hits('read'))
    expect(namesOf((await search()).hits)).toEqual(['a', 'read'])
  })
})

describe('every result is checked, whichever provider returned it', () => {
  it.each([
    ['site:', { query: 'silk site:silk.example' }, 'https://notsilk.example/a'],
    ['includeDomains', { includeDomains: ['silk.example'] }, 'https://other.example/a'],
    ['the scheme', {}, 'ftp://silk.example/a'],
  ])('including %s', async (_, wish, url) => {
    const found = await chainOf([provider('one', [hit('a', { url })])], [hit('b', { url })]).search(wish)
    expect(found).toMatchObject({ hits: [], isUnanswered: false })
  })

  it('and must have a picture, if it is one of images', async () => {
    const picture = hit('b', { imageUrl: 'https://silk.example/b.png' })
    const found = await chainOf([provider('one', [hit('a'), picture])]).search({ source: 'images' })
    expect(namesOf(found.hits)).toEqual(['b'])
  })
})

describe('pages that the team has read before', () => {
  it('count half next to providers, and in full without them', async () => {
    const { search, local } = chainOf([provider('one', hits('a', 'b'))], hits('read'))
    expect(namesOf((await search()).hits)).toEqual(['a', 'b', 'read'])
    expect(local.requests).toHaveLength(1)
  })

  it('give better descriptions, unless the caller wants those of providers', async () => {
    const ours = [hit('a', { description: 'A far longer passage of the page, which we have read ourselves.' })]
    const { search } = chainOf([provider('one', hits('a'))], [...ours, ...hits('read')])
    const descriptions = async (passages?: 'none') =>
      (await search({ passages })).hits.map(({ description }) => description)
    expect(await descriptions()).toEqual([ours[0]?.description, 'All that is known of read.'])
    expect(await descriptions('none')).toEqual(['All that is known of a.', 'All that is known of read.'])
  })

  it('are the only results without a provider, with a warning', async () => {
    const found = await chainOf([], hits('read')).search()
    expect(found).toMatchObject({ hits: hits('read'), isUnanswered: false })
    expect(found.notes).toEqual(['No search provider is configured, so only the local index was searched.'])
  })

  it('contain no pictures, so a search for pictures needs a provider', async () => {
    const { search, local } = chainOf([provider('one', hits('a'), { sources: new Set(['web']) })], hits('read'))
    expect(await search({ source: 'images' })).toEqual({
      hits: [],
      isUnanswered: true,
      isLate: false,
      notes: ['No configured search provider supports images.'],
    })
    expect(local.requests).toEqual([])
  })
})

it('options without effect are reported', async () => {
  const one = provider('one', hits('a'), { operators: new Set(), period: 'none' })
  const { notes } = await chainOf([one]).search({ query: '"spider silk"', period: parsePeriod('qdr:d', noon) })
  expect(notes.join(' ')).toMatch(/phrases.*one.*cannot search by time/)
})
