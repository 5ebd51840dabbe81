import type { ToolSets } from '../kernel/offer/tool-choice.ts'

/** What can be chosen by one word. `core` reads pages and acts on them, for clients with little room for tools. */
export const toolSets: ToolSets = {
  core: ['scrape', 'scrape_result', 'search', 'map', 'interact', 'browser_close'],
}
