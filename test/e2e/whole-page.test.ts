import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../helpers/program.ts'
import { inProcess, overStdio, type Road } from '../helpers/roads.ts'
import { type Site, startSite } from '../helpers/site.ts'

const folder = tempDir()
let site: Site
let road: Road

const env = () => ({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })

beforeAll(async () => {
  site = await startSite()
  road = inProcess(env())
})
afterAll(async () => {
  await road.close()
  await site.close()
  folder.remove()
})

type Page = Record<'markdown' | 'html' | 'rawHtml', string> & { metadata: { formFields?: number } }
const formats = ['markdown', 'html', 'rawHtml']
const scrape = async (path: string, more: object = {}) => {
  const { output } = await road.call('scrape', { url: site.url(path), formats, onlyMainContent: false, ...more })
  return (output as { data: Page }).data
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

describe('a page with a form', () => {
  it('keeps its controls in html, counts its fields, and says to an agent how to fill it in', async () => {
    const { html, markdown, metadata } = await scrape('/form')
    expect(html).toMatch(/<input id="title">.*<textarea id="story"/)
    expect(markdown).not.toContain('<input')
    expect(metadata.formFields).toBe(2)
    const mcp = await overStdio(env())
    const first = await mcp.call('scrape', { url: site.url('/form?agent') })
    const again = await mcp.call('scrape', { url: site.url('/form?agent') })
    await mcp.close()
    expect(first.text).toMatch(/^http.*read now.* · form with 2 fields: browser_create$/m)
    expect(again.text).toMatch(/^http.*cached.* · form with 2 fields: browser_create$/m)
  })
})
