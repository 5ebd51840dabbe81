import type { Contestant } from './contestant.ts'
import { opened, usualEgress } from './ours.ts'

/** Like a crawl: one context with reused pages. */
export const oursWarm: Contestant = {
  id: 'warm',
  name: 'gossamer, pages used again',
  pages: 'shared context',
  open: async (browserPath) => opened(browserPath, usualEgress(), { reuse: 'crawl' }),
}
