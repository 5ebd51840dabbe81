import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../helpers/program.ts'
import { inProcess, type Road } from '../helpers/roads.ts'
import { type Site, startSite } from '../helpers/site.ts'

const folder = tempDir()
let site: Site
let road: Road

beforeAll(async () => {
  site = await startSite()
  road = inProcess({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
})
afterAll(async () => {
  await road.close()
  await site.close()
  folder.remove()
})

const formats = ['markdown', 'html', 'rawHtml']
const scrape = async (path: string, more: object = {}) => {
  const { output } = await road.call('scrape', { url: site.url(path), formats, onlyMainContent: false, ...more })
  return (output as { data: Record<'markdown' | 'html' | 'rawHtml', string> }).data
}

describe('a cookie banner in the HTML of a page', () => {
  it('is left out of markdown and html, and stays in rawHtml', async () => {
    const { markdown, html, rawHtml } = await scrape('/consent/platform')
    expect(markdown).toContain('What the page is about')
    for (const text of [markdown, html]) expect(text).not.toMatch(/recognise visitors|Reject All/)
    expect(rawHtml).toContain('recognise visitors')
  })

  it('stays where ads are not blocked, also after the page was read without', async () => {
    const { markdown, html } = await scrape('/consent/platform', { blockAds: false })
    for (const text of [markdown, html]) expect(text).toContain('recognise visitors')
  })
})
