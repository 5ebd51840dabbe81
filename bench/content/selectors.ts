import type { Contestant } from './contestant.ts'
import { createTurndown } from './markdown.ts'

/** Elements that a scraping service is known to remove for "only main content", by name, class and id. */
const names = ['header', 'footer', 'nav', 'aside']
const classes =
  words(`header top navbar footer bottom sidebar side aside menu navigation breadcrumbs modal popup overlay
  cookie widget ad ads advert lang-selector language social social-media social-links share`)
const ids = words(`header footer sidebar nav breadcrumbs language-selector modal cookie widget ad social share`)
const unwanted = [...names, ...classes.map((word) => `.${word}`), ...ids.map((word) => `#${word}`)]
/** An element that contains the main element stays, whatever its name. */
const kept = '#main'
const unreadable = 'script, style, noscript, meta, head, iframe, template'

export const selectorList: Contestant = {
  id: 'selectors',
  name: 'list of selectors (cheerio) + turndown',
  async load() {
    const { load } = await import('cheerio')
    const toMarkdown = createTurndown()
    return (html) => {
      const $ = load(html)
      $(unreadable).remove()
      $(unwanted.join(', '))
        .filter((_, element) => $(element).find(kept).length === 0)
        .remove()
      return toMarkdown($.html('body'))
    }
  },
}

function words(text: string): string[] {
  return text.split(/\s+/)
}
