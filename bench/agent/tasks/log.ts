import { entries, wantedEntry } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const sought = `Entry ${wantedEntry}`
const answerIn = new RegExp(`${sought}: [^"\\n]*passed`)

export const log: Task = {
  name: 'infinite scroll',
  wording: `What does ${sought} of the log book at /log say? Twenty more entries come each time its end is reached.`,
  answer: entries[wantedEntry - 1],
  async acts(ours) {
    const output = await ours.act(
      { type: 'navigate', url: '/log' },
      { type: 'scroll', direction: 'end' },
      { type: 'scroll', direction: 'end' },
      { type: 'scroll', direction: 'end' },
      { type: 'wait', text: sought },
    )
    return partOf(output, answerIn)
  },
  async refs(peer) {
    await peer.navigate('/log')
    for (let times = 0; times < 3; times++) {
      await peer.press('End')
      await peer.wait(1)
    }
    return partOf(await peer.find(sought), answerIn)
  },
  async code(run) {
    const output = await run(
      `await page.goto('/log'); const entry = page.getByText('${sought}:'); while (await entry.count() === 0) { await page.keyboard.press('End'); await page.waitForTimeout(200) } return await entry.innerText()`,
    )
    return partOf(output, answerIn)
  },
}
