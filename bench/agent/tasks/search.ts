import { goods, wantedGoods } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const price = goods.find(([name]) => name === wantedGoods)?.[1].toFixed(2)
const priceIn = (text: string) => partOf(text.slice(text.lastIndexOf(wantedGoods)), /(\d+\.\d\d) €/)

export const search: Task = {
  name: 'search and a price',
  wording: `Search the shop at /shop: what does the ${wantedGoods} cost?`,
  answer: price,
  async acts(ours) {
    await ours.act({ type: 'navigate', url: '/shop' })
    const told = await ours.act(
      { type: 'fill', target: 'Search for goods', value: 'brass bell' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', text: wantedGoods },
    )
    return priceIn(told)
  },
  async refs(peer) {
    await peer.navigate('/shop')
    await peer.snapshot()
    await peer.submit('searchbox "Search for goods"', 'brass bell')
    return priceIn(await peer.find(wantedGoods))
  },
  async code(run) {
    await run(`await page.goto('/shop'); return await page.locator('main').innerHTML()`)
    const told = await run(
      `await page.getByLabel('Search for goods').fill('brass bell'); await page.keyboard.press('Enter'); return await page.getByText('${wantedGoods}').locator('..').innerText()`,
    )
    return priceIn(told)
  },
}
