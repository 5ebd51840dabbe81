import type { Contestant } from './contestant.ts'
import { createTurndown } from './markdown.ts'

export const wholePage: Contestant = {
  id: 'whole',
  name: 'whole page (cheerio) + turndown',
  async load() {
    const { load } = await import('cheerio')
    const toMarkdown = createTurndown()
    return (html) => {
      const $ = load(html)
      $('script, style, noscript, template').remove()
      return toMarkdown($.html('body'))
    }
  },
}
