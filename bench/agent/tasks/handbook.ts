import { code } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

const heading = 'Set the squelch'

export const handbook: Task = {
  name: 'code on a page of docs',
  wording: `Which three commands does the handbook at /handbook give under "${heading}"?`,
  answer: code.replaceAll('\n', ' '),
  async acts(ours) {
    const output = await ours.act({ type: 'navigate', url: '/handbook' }, { type: 'wait', text: heading })
    return commandsIn(output)
  },
  async refs(peer) {
    await peer.navigate('/handbook')
    return commandsIn(await peer.find(heading))
  },
  async code(run) {
    return commandsIn(
      await run(
        `await page.goto('/handbook'); const text = await page.locator('main').innerText(); const at = text.indexOf('${heading}'); return text.slice(at, at + 300)`,
      ),
    )
  },
}

/** Ignores line ends, which a snapshot of @playwright/mcp does not contain. */
const commandsIn = (text: string) =>
  partOf(text, /radio --channel[\s\S]*?harbour\.log/).replace(/\s*(?:⏎|\n| )\s*/g, ' ')
