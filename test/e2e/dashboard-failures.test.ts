import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { html } from '../helpers/site/route.ts'
import { forAll } from '../helpers/for-all.ts'
import { barriers, openDashboard } from './dashboard-kit.ts'

const text = 'The lamp on the pier is lit at dusk, and put out when the last boat is in. '.repeat(8)
const lamp = html(`<title>Lamp</title><main><h1>Lamp</h1><p>${text}</p><p>Price: 12 EUR</p></main>`)

const stand = forAll(() =>
  openDashboard({
    pages: 10,
    routes: {
      '/lamp': lamp,
      '/late': async (...given) => {
        await sleep(2500)
        lamp(...given)
      },
    },
  }),
)

test('a failure is shown with its reason; Why? explains it and suggests parameters for the playground', async () => {
  await stand.call('POST', '/v2/scrape', { url: stand.site.url('/lamp') })
  await stand.call('POST', '/v2/scrape', { url: stand.site.url('/late'), timeout: 1000 })
  const { page, complaints } = await stand.visit()
  const failed = page.getByRole('link', { name: /late/ })
  expect(await failed.textContent()).toMatch(/SCRAPE_TIMEOUT.*did not finish within its timeout.*failed.*Why\?/s)
  expect(await page.getByRole('link', { name: /lamp/ }).textContent()).toContain('done')
  await page.getByRole('button', { name: 'Failed' }).click()
  await page.getByRole('link', { name: /lamp/ }).waitFor({ state: 'detached' })
  expect(await barriers(page)).toEqual([])

  await failed.click()
  // The question stays visible while it is answered.
  await page.getByRole('link', { name: stand.site.url('/late') }).waitFor()
  expect(await page.getByRole('main').textContent()).toMatch(/SCRAPE_TIMEOUT.*Looking into it/s)
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.waitFor()
  expect(await answer.textContent()).toMatch(/timeout.*Tried, and it works/s)
  const fix: unknown = JSON.parse((await page.getByLabel('Parameters').textContent()) ?? '')
  expect(fix).toMatchObject({ timeout: expect.any(Number) })
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Try it in the playground' }).click()
  expect(await page.getByLabel('url required').inputValue()).toBe(stand.site.url('/late'))
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByRole('heading', { name: 'Lamp' }).waitFor()
  expect(complaints).toEqual([])
})

test('extract, agent and llms.txt show progress, and their answer with its sources', async () => {
  const url = stand.site.url('/lamp')
  const schema = { type: 'object', properties: { price: { type: 'string' } } }
  const { id: extract } = await stand.call('POST', '/v2/extract', { urls: [url], schema, showSources: true })
  const { id: agent } = await stand.call('POST', '/v2/agent', {
    prompt: 'What is the price of the lamp?',
    urls: [url],
    strictConstrainToURLs: true,
    schema,
  })
  const { id: llmstxt } = await stand.call('POST', '/v2/llmstxt', { url: stand.site.url('/notes'), maxUrls: 3 })
  const { page, complaints } = await stand.visit()
  for (const [kind, id] of Object.entries({ extract, agent })) {
    await page.goto(`${stand.url}/#/jobs/${kind}/${id}`)
    await page.getByText('done', { exact: true }).waitFor()
    expect(await page.getByText(/^\d+ steps?$/).count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Answer' }).textContent()).toContain('12')
    const sources = page.getByRole('listitem').filter({ hasText: 'price' })
    expect(await sources.getByRole('link', { name: url }).count()).toBeGreaterThan(0)
    expect(await barriers(page)).toEqual([])
  }
  await page.goto(`${stand.url}/#/jobs/llmstxt/${llmstxt}`)
  await page.getByText('done', { exact: true }).waitFor()
  expect(await page.getByLabel('llmstxt').textContent()).toContain('# ')
  expect(await barriers(page)).toEqual([])
  expect(complaints).toEqual([])
})
