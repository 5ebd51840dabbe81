import { alarmTest } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const sought = 'bilge alarm is tested'
const answerIn = /tested (every \d+ days)/

export const docs: Task = {
  name: 'docs of 26 pages',
  wording: `One of the 26 pages of the docs at /docs says how often the ${sought}. How often?`,
  answer: alarmTest,
  async acts(ours) {
    return partOf(await ours.crawl('/docs', { limit: 30, wait: 60, find: sought }), answerIn)
  },
  async refs(peer) {
    await peer.navigate('/docs')
    const start = await peer.snapshot()
    for (const [, path = ''] of start.matchAll(/\/url: (\/docs\/\w+)/g)) {
      await peer.navigate(path)
      const found = await peer.find(sought)
      if (answerIn.test(found)) return partOf(found, answerIn)
    }
    throw new Error('No page says it')
  },
  async code(run) {
    const output = await run(
      `await page.goto('/docs'); const links = await page.locator('main a').evaluateAll((all) => all.map(({ href }) => href)); for (const link of links) { await page.goto(link); const found = page.getByText('${sought}'); if (await found.count() > 0) return await found.first().innerText() }`,
    )
    return partOf(output, answerIn)
  },
}
