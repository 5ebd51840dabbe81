import TurndownService from 'turndown'

/** HTML as markdown, by turndown as most programs set it up: as a string, which it parses itself. */
export function createTurndown(): (html: string) => string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  return (html) => (html.trim() === '' ? '' : service.turndown(html))
}
