import type { Contestant } from './contestant.ts'
import { opened, usualEgress } from './ours.ts'

/** As the pages of one crawl are visited: one context, whose pages are used again. */
export const oursWarm: Contestant = {
  id: 'warm',
  name: 'gossamer, pages used again',
  pages: 'shared context',
  open: async (browserPath) => opened(browserPath, usualEgress(), { reuse: 'crawl' }),
}
