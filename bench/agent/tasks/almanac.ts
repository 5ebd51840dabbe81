import { gauge } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const sought = 'tide gauge at Rock 9'
const answerIn = /Rock 9 reads\W+(\d+\.\d+ m)/

export const almanac: Task = {
  name: 'one fact on a page of 10 MB',
  wording: `What does the ${sought} read, according to the almanac at /almanac?`,
  answer: gauge,
  async acts(ours) {
    return partOf(await ours.act({ type: 'navigate', url: '/almanac' }, { type: 'wait', text: sought }), answerIn)
  },
  async refs(peer) {
    await peer.navigate('/almanac')
    return partOf(await peer.find(sought), /Rock 9 reads[^0-9]*(?:\n.*?)?(\d+\.\d+ m)/)
  },
  async code(run) {
    return partOf(
      await run(`await page.goto('/almanac'); return await page.getByText('${sought}').innerText()`),
      answerIn,
    )
  },
}
