import { berth } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const answerIn = /berth is\W+([A-Z]-\d+)/

export const form: Task = {
  name: 'form with a validation error',
  wording:
    'At /register, register the motor boat Seagull of Ann Lee, ann@example.com, phone 0431 555 0142 in Germany, for the outer harbour, and accept the terms. Which berth does it get?',
  answer: berth,
  recorded: {
    name: 'Ann Lee',
    email: 'ann@example.com',
    phone: '+49 431 555 0142',
    boat: 'Seagull',
    kind: 'Motor boat',
    harbour: 'Outer harbour',
    terms: 'on',
  },
  async acts(ours) {
    await ours.act({ type: 'navigate', url: '/register' })
    await ours.act(
      { type: 'fill', target: 'Full name', value: 'Ann Lee' },
      { type: 'fill', target: 'Email', value: 'ann@example.com' },
      { type: 'fill', target: 'Phone', value: '0431 555 0142' },
      { type: 'fill', target: 'Name of the boat', value: 'Seagull' },
      { type: 'select', target: 'Kind of boat', options: ['Motor boat'] },
      { type: 'check', target: 'Outer harbour' },
      { type: 'check', target: 'I accept the terms' },
      { type: 'click', target: 'button "Register"' },
    )
    const done = await ours.act(
      { type: 'fill', target: 'Phone', value: '+49 431 555 0142' },
      { type: 'click', target: 'button "Register"' },
    )
    return partOf(done, answerIn)
  },
  async refs(peer) {
    await peer.navigate('/register')
    await peer.snapshot()
    await peer.fillForm([
      { type: 'textbox', name: 'Full name', value: 'Ann Lee' },
      { type: 'textbox', name: 'Email', value: 'ann@example.com' },
      { type: 'textbox', name: 'Phone', value: '0431 555 0142' },
      { type: 'textbox', name: 'Name of the boat', value: 'Seagull' },
      { type: 'combobox', name: 'Kind of boat', value: 'Motor boat' },
      { type: 'radio', name: 'Outer harbour', value: 'true' },
      { type: 'checkbox', name: 'I accept the terms', value: 'true' },
    ])
    await peer.press('Enter')
    await peer.snapshot()
    await peer.submit('textbox "Phone"', '+49 431 555 0142')
    return partOf(await peer.find('berth'), answerIn)
  },
  async code(run) {
    await run(`await page.goto('/register'); return await page.locator('form').innerText()`)
    await run(
      `await page.getByLabel('Full name').fill('Ann Lee'); await page.getByLabel('Email').fill('ann@example.com'); await page.getByLabel('Phone').fill('0431 555 0142'); await page.getByLabel('Name of the boat').fill('Seagull'); await page.getByLabel('Kind of boat').selectOption('Motor boat'); await page.getByLabel('Outer harbour').check(); await page.getByLabel('I accept the terms').check(); await page.getByRole('button', { name: 'Register' }).click(); return await page.locator('main').innerText()`,
    )
    const done = await run(
      `await page.getByLabel('Phone').fill('+49 431 555 0142'); await page.getByRole('button', { name: 'Register' }).click(); return await page.locator('main').innerText()`,
    )
    return partOf(done, answerIn)
  },
}
