import type { Contestant } from './contestant.ts'

export const ours: Contestant = {
  id: 'ours',
  name: 'gossamer',
  async load() {
    const { readHtml } = await import('../../src/engine/html/page/read-parts.ts')
    return (html, url) => readHtml({ ...asScraped, wanted: ['markdown'], html, url }).markdown ?? ''
  },
}

/** Default options of a scrape. */
export const asScraped = {
  attributes: [],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
}
