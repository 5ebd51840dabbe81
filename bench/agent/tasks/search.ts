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
    const output = await ours.act(
      { type: 'fill', target: 'Search for goods', value: 'brass bell' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', text: wantedGoods },
    )
    return priceIn(output)
  },
  async refs(peer) {
    await peer.navigate('/shop')
    await peer.snapshot()
    await peer.submit('searchbox "Search for goods"', 'brass bell')
    return priceIn(await peer.find(wantedGoods))
  },
  /** Does not look at the page first, because a shop has one search field. */
  async code(run) {
    const output = await run(
      `await page.goto('/shop'); const field = page.getByRole('searchbox').or(page.getByRole('textbox')).first(); await field.fill('${wantedGoods}'); await field.press('Enter'); return await page.getByText('${wantedGoods}').first().locator('..').innerText()`,
    )
    return priceIn(output)
  },
}
