import { describe, expect, test } from 'vitest'
import { createBm25, rank, rarity, tally } from '../../src/util/rank.ts'

describe('the score of a word', () => {
  const score = createBm25([10, 20, 30], { lengthShare: 0.75 })

  test('follows the formula of BM25, by its count and the length of its text', () => {
    expect(score(1, 20)).toBeCloseTo(1)
    expect(score(2, 30)).toBeCloseTo((2 * 2.2) / (2 + 1.2 * (0.25 + 0.75 * 1.5)))
  })

  test('is lower in a longer text, unless lengths do not count', () => {
    expect(score(1, 30)).toBeLessThan(score(1, 10))
    const flat = createBm25([10, 30], { lengthShare: 0 })
    expect(flat(1, 30)).toBe(flat(1, 10))
  })
})

test('a word that fewer texts contain is rarer, and one that all contain still counts', () => {
  expect(rarity(1, 10)).toBeGreaterThan(rarity(5, 10))
  expect(rarity(10, 10)).toBeGreaterThan(0)
})

test('words are counted with the weight of the part that they are in', () => {
  const { counts, length } = tally([
    [['price', 'list'], 3],
    [['price'], 1],
  ])
  expect(Object.fromEntries(counts)).toEqual({ price: 4, list: 3 })
  expect(length).toBe(7)
})

describe('texts are ranked for a question', () => {
  test('by rare words first, each with the share of the words that it contains', () => {
    const texts = ['The plan is old.', 'The plan has a refund.', 'A plan of the house.', 'Nothing of that.']
    const fits = rank(texts, 'refund of the plan')
    expect(fits.map(({ coverage }) => coverage)).toEqual([0.5, 1, 0.5, 0])
    expect(Math.max(...fits.map(({ score }) => score))).toBe(fits[1]?.score)
  })

  test('without a score if the question has only stop words, or there are no texts', () => {
    expect(rank(['The plan.'], 'what is it')).toEqual([{ score: 0, coverage: 0, share: 0 }])
    expect(rank([], 'plan')).toEqual([])
  })
})
