import type { OfTeam, ReadRequest } from '../../src/contracts/page-content.ts'

/** Parts of a page that a common scrape requests. */
export const requestOf = (html: string): ReadRequest & OfTeam => ({
  teamId: 'bench',
  html,
  url: 'https://example.com/',
  wanted: ['markdown', 'metadata', 'links'],
  attributes: [],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
})

export const never = new AbortController().signal
