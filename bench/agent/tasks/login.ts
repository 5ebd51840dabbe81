import { login as right, orders, wantedOrder } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const order = orders.find(({ id }) => id === wantedOrder)

export const login: Task = {
  name: 'login and a table',
  wording: `Log in at /login as ${right.user} with the password ${right.password}. What did order ${wantedOrder} in the table of orders cost, and what is its state?`,
  answer: `${order?.total} ${order?.state}`,
  async acts(ours) {
    await ours.act({ type: 'navigate', url: '/login' })
    const output = await ours.act(
      { type: 'fill', target: 'User name', value: right.user },
      { type: 'fill', target: 'Password', value: right.password },
      { type: 'press', key: 'Enter' },
      { type: 'wait', text: wantedOrder },
    )
    return totalAndState(output)
  },
  async refs(peer) {
    await peer.navigate('/login')
    await peer.snapshot()
    await peer.fillForm([{ type: 'textbox', name: 'User name', value: right.user }])
    await peer.submit('textbox "Password"', right.password)
    return totalAndState(await peer.find(wantedOrder))
  },
  /** Does not look at the page first, because login forms are alike. */
  async code(run) {
    const output = await run(
      `await page.goto('/login'); await page.locator('form input:not([type=password]):not([type=hidden])').first().fill('${right.user}'); const password = page.locator('input[type=password]'); await password.fill('${right.password}'); await password.press('Enter'); return await page.locator('tr', { hasText: '${wantedOrder}' }).innerText()`,
    )
    return totalAndState(output)
  },
}

/** Finds total and state of the order in the text after its number, which comes first in the row. */
function totalAndState(text: string): string {
  const row = text.slice(text.search(new RegExp(`cell "${wantedOrder}"|row: ${wantedOrder}|${wantedOrder}\\t`)))
  return `${partOf(row, /\d+\.\d\d €/)} ${partOf(row, /arrived|on its way|being packed/)}`
}
