import { describe, expect, test } from 'vitest'
import { openDocumentation } from '../../src/engine/support/docs/shipped.ts'
import { createDocsIndex } from '../../src/engine/support/docs/search.ts'
import { docsQuestions } from './docs-questions.ts'
import { heldOut } from './held-out-questions.ts'

const pagesFor = async (question: string) => {
  const { find } = await openDocumentation()
  return [...new Set((await find(question)).map(({ section }) => section.path))]
}

describe('the documentation that is shipped', () => {
  test.each([
    ['what does SCRAPE_LOCKDOWN_CACHE_MISS mean', 'reference/errors.md'],
    ['GOSSAMER_CACHE_MAX_MB', 'settings.md'],
    ['how are webhooks signed', 'webhooks.md'],
    ['maxDiscoveryDepth of a crawl', 'crawl.md'],
  ])('answers %s', async (question, page) => {
    expect((await pagesFor(question)).slice(0, 3)).toContain(page)
  })

  test('is found by words of people who do not know ours', async () => {
    const { find } = await openDocumentation()
    const places = await Promise.all(
      docsQuestions.map(async ({ question, pages }) => {
        const found = [...new Set((await find(question)).map(({ section }) => section.path))]
        return found.findIndex((page) => pages.includes(page))
      }),
    )
    const share = (most: number) => places.filter((at) => at >= 0 && at < most).length / places.length
    expect(docsQuestions.length).toBeGreaterThanOrEqual(60)
    expect(share(1)).toBeGreaterThanOrEqual(0.8)
    expect(share(3)).toBeGreaterThanOrEqual(0.9)
  })

  test('is found by words that the ranking was never tuned to, though less often', async () => {
    const first = await Promise.all(
      heldOut.map(async ([question, ...pages]) => pages.includes((await pagesFor(question))[0] ?? '')),
    )
    expect(first.filter(Boolean).length / heldOut.length).toBeGreaterThanOrEqual(0.5)
  })

  test('has nothing on other matters', async () => {
    const { find } = await openDocumentation()
    for (const question of ['how do I bake bread', 'capital of France', 'who won the world cup'])
      expect(
        (await find(question)).filter(({ coverage }) => coverage >= 0.5),
        question,
      ).toEqual([])
  })
})

test('without pages nothing is found, and a question of no words finds nothing', () => {
  expect(createDocsIndex([]).find('anything')).toEqual([])
  expect(createDocsIndex([{ path: 'a.md', text: '# A\nText.' }]).find('how do I?')).toEqual([])
})
