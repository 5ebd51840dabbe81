import type { Contestant } from './contestant.ts'

export const ours: Contestant = {
  id: 'ours',
  name: 'gossamer',
  async load() {
    const { readHtml } = await import('../../src/engine/html/page/read.ts')
    return (html, url) => readHtml({ ...request, html, url }).markdown ?? ''
  },
}

/** As a scrape asks for it when nothing is said. */
const request = {
  wanted: ['markdown' as const],
  attributes: [],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
}
