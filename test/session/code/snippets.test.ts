import { expect, test } from 'vitest'
import { shareHere } from '../../browser/programs/shared.ts'
import { outcome, places, runnerOn } from './programs/coding.ts'
import { startSnippetSite } from './snippets/site.ts'
import { onOnePage, onPagesOfTheirOwn, type Snippet } from './snippets/snippets.ts'
import { forAll } from '../../helpers/for-all.ts'

const place = places.find(({ language }) => language === 'node')!

const site = forAll(startSnippetSite)
const browser = forAll(shareHere)

/** Returns code that runs snippets one after the other, and returns the value of each. */
const runAll = (snippets: readonly Snippet[], pages: 'one page' | 'a page each') => `
  const shared = ${pages === 'one page'} && await context.newPage()
  const Code = (async () => {}).constructor
  const values = {}
  for (const [about, code] of ${JSON.stringify(snippets)}) {
    const page = shared || await context.newPage()
    page.setDefaultTimeout(5000)
    try {
      await page.goto('${site.url}/')
      const late = new Promise((resolve) => setTimeout(resolve, 15_000, 'no end'))
      values[about] = await Promise.race([late, new Code('page', 'context', 'browser', 'require', 'url', code)(page, context, browser, require, '${site.url}')])
    } catch (error) { values[about] = String(error) }
    await Promise.all(context.pages().filter((each) => each !== page).slice(1).map((each) => each.close()))
    if (!shared) await page.close()
  }
  JSON.stringify(values)`

test.each([
  ...Object.entries(onOnePage).map((group) => [...group, 'one page'] as const),
  ...Object.entries(onPagesOfTheirOwn).map((group) => [...group, 'a page each'] as const),
])('Playwright’s documented uses of %s work', { timeout: 240_000 }, async (_, snippets, pages) => {
  const runner = runnerOn(browser, place)
  const { lastValue, error, stderr } = await outcome(runner, runAll(snippets, pages), 200_000)
  await runner.close()
  expect({ error, stderr }).toMatchObject({ error: undefined })
  const expected = Object.fromEntries(snippets.map(([about, , value]) => [about, value]))
  expect(JSON.parse(lastValue ?? 'null')).toEqual(JSON.parse(JSON.stringify(expected)))
})
