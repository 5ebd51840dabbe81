import { expect, test } from 'vitest'
import { html } from '../helpers/site/route.ts'
import { barriers, openDashboard } from './dashboard-kit.ts'
import { forAll } from '../helpers/for-all.ts'

const text = 'A kettle boils water for tea, and whistles when it is done. '.repeat(8)
let price = 40
const kettle = () =>
  html(`<title>Kettle</title><main><h1>Kettle</h1><p>${text}</p><p>Price: ${price} EUR</p><p>${text}</p></main>`)

const stand = forAll(() =>
  openDashboard({
    routes: { '/kettle': (...given) => kettle()(...given), '/other': html(`<title>Other</title><main>${text}</main>`) },
  }),
)

test('a monitor is created from the form, run, paused, resumed, and deleted after confirmation', async () => {
  await stand.clear('monitor')
  const { page, complaints } = await stand.visit()
  await page.getByRole('link', { name: 'Monitors' }).click()
  await page.getByText('Nothing is watched yet').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'New monitor' }).click()
  await page.getByLabel('Addresses').fill(stand.site.url('/kettle'))
  await page.getByLabel('Name').fill('Kettles')
  await page.getByLabel('When').fill('every 45 minutes')
  await page.getByRole('button', { name: 'Create' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('not evenly spaced')
  complaints.length = 0
  expect(await barriers(page)).toEqual([])
  await page.getByLabel('When').fill('every 30 minutes')
  await page.getByRole('button', { name: 'Create' }).click()

  await page.getByRole('heading', { name: 'Kettles' }).waitFor()
  const checks = page.getByRole('list', { name: 'Checks' })
  await checks.getByText('1 new of 1 page').waitFor()
  expect(await page.getByText(/next check in/).isVisible()).toBe(true)
  price = 35
  await page.getByRole('button', { name: 'Run now' }).click()
  await checks.getByText('1 changed of 1 page').waitFor()
  expect(await barriers(page)).toEqual([])

  const last = page.getByRole('region', { name: 'Last change' })
  await last.locator('ins').getByText('+Price: 35 EUR').waitFor()
  expect(await page.getByLabel('Past checks').getByRole('link').count()).toBe(2)
  await page.getByText('Edit', { exact: true }).click()
  await page.getByLabel('When').fill('every 45 minutes')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('not evenly spaced')
  complaints.length = 0
  await page.getByLabel('When').fill('hourly')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('hourly', { exact: false }).first().waitFor()
  expect(await barriers(page)).toEqual([])

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('active', { exact: true }).waitFor()

  await checks.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Check', level: 1 }).waitFor()
  const diff = page.getByLabel('Text that changed')
  await diff.waitFor()
  expect(await diff.locator('del').allTextContents()).toEqual(['-Price: 40 EUR\n'])
  expect(await diff.locator('ins').allTextContents()).toEqual(['+Price: 35 EUR\n'])
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'All checks' }).click()

  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Kettles”?' })
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('heading', { name: 'Kettles' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing is watched yet').waitFor()
  expect(complaints).toEqual([])
})

test('facts are compared in a table, and an open list shows new changes', async () => {
  const { page, complaints } = await stand.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  price = 20
  await page.goto(`${stand.url}/#/monitors/new`)
  await page.getByLabel('Addresses').fill(`${stand.site.url('/kettle')}\n${stand.site.url('/other')}`)
  await page.getByLabel('Facts to compare').fill('price')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('list', { name: 'Checks' }).getByText('2 new of 2 pages').waitFor()
  await page.getByRole('link', { name: 'Monitors' }).click()
  const list = page.getByRole('list', { name: 'Monitors' })
  await list.getByText('2 new of 2 pages').waitFor()
  price = 15
  const { data } = (await stand.call('GET', '/v2/monitor')) as unknown as { data: { id: string }[] }
  await stand.call('POST', `/v2/monitor/${data[0]!.id}/run`)
  await list.getByText('1 changed of 2 pages').waitFor()
  expect(await barriers(page)).toEqual([])
  await list.getByRole('link').first().click()
  await page.getByRole('list', { name: 'Checks' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Changed 1' }).click()
  const row = page.getByRole('row').nth(1)
  await row.waitFor()
  expect(await row.getByRole('rowheader').textContent()).toBe('price')
  const cells = await row.getByRole('cell').allTextContents()
  expect(cells.map((cell) => /\d+/.exec(cell)?.[0])).toEqual(['20', '15'])
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByRole('button', { name: 'All 2' }).click()
  await page.getByRole('article').nth(1).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await barriers(page)).toEqual([])
  expect(complaints).toEqual([])
})
