import type { Contestant } from './contestant.ts'
import { createTurndown } from './markdown.ts'

export const readabilityLinkedom: Contestant = {
  id: 'linkedom',
  name: 'linkedom + readability + turndown',
  async load() {
    const { parseHTML } = await import('linkedom')
    const { Readability } = await import('@mozilla/readability')
    const toMarkdown = createTurndown()
    return (html) => toMarkdown(new Readability(parseHTML(html).document).parse()?.content ?? '')
  },
}
