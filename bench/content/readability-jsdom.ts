import type { Contestant } from './contestant.ts'
import { createTurndown } from './markdown.ts'

export const readabilityJsdom: Contestant = {
  id: 'jsdom',
  name: 'jsdom + readability + turndown',
  async load() {
    const { JSDOM, VirtualConsole } = await import('jsdom')
    const { Readability } = await import('@mozilla/readability')
    const toMarkdown = createTurndown()
    // Has no listeners, so errors about unreadable style sheets are not printed.
    const virtualConsole = new VirtualConsole()
    return (html, url) => {
      const { window } = new JSDOM(html, { url, virtualConsole })
      const markdown = toMarkdown(new Readability(window.document).parse()?.content ?? '')
      window.close()
      return markdown
    }
  },
}
