import { boat, premium } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const priceIn = (text: string) => partOf(text, /(\d+\.\d\d) €/)

export const wizard: Task = {
  name: 'wizard in a frame, new tab',
  wording: `At /insurance, get an offer for a sailing boat of ${boat.length} m from ${boat.start}. What does it cost a year?`,
  answer: premium(boat),
  async acts(ours) {
    await ours.act({ type: 'navigate', url: '/insurance' })
    await ours.act(
      { type: 'fill', target: 'Length in metres', value: String(boat.length) },
      { type: 'select', target: 'Kind', options: [boat.kind] },
      { type: 'click', target: 'button "Next"' },
    )
    await ours.act({ type: 'fill', target: 'First day', value: boat.start }, { type: 'click', target: 'button "Next"' })
    return priceIn(await ours.act({ type: 'click', target: 'link "See the offer"' }))
  },
  async refs(peer) {
    await peer.navigate('/insurance')
    await peer.snapshot()
    await peer.fillForm([
      { type: 'textbox', role: 'spinbutton', name: 'Length in metres', value: String(boat.length) },
      { type: 'combobox', name: 'Kind', value: boat.kind },
    ])
    await peer.click('button "Next"')
    await peer.snapshot()
    await peer.submit('textbox "First day"', boat.start)
    await peer.snapshot()
    const tabs = await peer.click('link "See the offer"')
    await peer.selectTab(Number(partOf(tabs, /- (\d+): (?!\(current\))/)))
    return priceIn(await peer.find('€'))
  },
  async code(run) {
    await run(`await page.goto('/insurance'); return await page.frameLocator('iframe').locator('body').innerText()`)
    await run(
      `const frame = page.frameLocator('iframe'); await frame.getByLabel('Length in metres').fill('${boat.length}'); await frame.getByLabel('Kind').selectOption('${boat.kind}'); await frame.getByRole('button', { name: 'Next' }).click(); await frame.getByLabel('Length in metres').waitFor({ state: 'hidden' }); return await frame.locator('body').innerText()`,
    )
    await run(
      `const frame = page.frameLocator('iframe'); await frame.getByLabel('First day').fill('${boat.start}'); await frame.getByRole('button', { name: 'Next' }).click(); await frame.getByLabel('First day').waitFor({ state: 'hidden' }); return await frame.locator('body').innerText()`,
    )
    const output = await run(
      `const opening = page.waitForEvent('popup'); await page.frameLocator('iframe').getByRole('link', { name: 'See the offer' }).click(); return await (await opening).locator('main').innerText()`,
    )
    return priceIn(output)
  },
}
