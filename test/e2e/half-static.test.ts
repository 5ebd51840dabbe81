import { describe, expect, test } from 'vitest'
import { overRest } from '../helpers/roads.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { answer, html, type Routes } from '../helpers/site/route.ts'

const intro = `<h1>Mugs</h1><p>${'What is known of mugs was written down by people who made them. '.repeat(4)}</p>`
const page = (gap: string, script: string) =>
  `<!doctype html><html lang="en"><title>Mugs</title><main>${intro}${gap}</main><script>${script}</script></html>`
const fill = (id: string, path: string) =>
  `fetch('${path}').then((all) => all.json()).then((all) => { document.getElementById('${id}').innerHTML = all.map((mug) => '<li>' + mug + '</li>').join('') })`
const mugs = answer(200, { 'content-type': 'application/json' }, JSON.stringify(['Blue mug', 'Green mug', 'Red mug']))

const routes: Routes = {
  '/mugs.json': async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await mugs(exchange)
  },
  '/half/word': html(page('<ul id="mugs"><li>Loading…</li></ul>', fill('mugs', '/mugs.json'))),
  '/half/boxes': html(page(`<ul id="mugs">${'<li class="skeleton"></li>'.repeat(4)}</ul>`, fill('mugs', '/mugs.json'))),
  '/half/empty': html(page('<ul id="mugs" data-src="/mugs.json"></ul>', fill('mugs', '/mugs.json'))),
  '/whole': html(page('<ul id="mugs"><li>Blue mug</li></ul>', 'document.title += "!"')),
  '/vain/*': html(page('<p>Loading…</p>', '')),
}

const site = siteForAll({ routes })

type Read = { markdown: string; warning?: string; metadata: { cacheState?: string } }
const scrape = async (path: string) => {
  const { url } = await sharedServer()
  return (await overRest(url).call('scrape', { url: site.url(path), proxy: 'basic' })).output?.['data'] as Read
}
/** Counts the requests for a page: one without a browser, two with one. */
const visits = (path: string) => site.requests.filter(({ url }) => url === path).length

describe('a page that scripts complete', () => {
  test('is the only page that is read by a browser', async () => {
    for (const path of ['/half/word', '/half/boxes', '/half/empty']) {
      const before = visits(path)
      const { markdown, warning } = await scrape(path)
      expect(markdown).toContain('- Blue mug\n- Green mug\n- Red mug')
      expect(markdown).not.toContain('Loading')
      expect(warning).toBeUndefined()
      expect(visits(path) - before).toBe(2)
      expect((await scrape(path)).metadata.cacheState).toBe('hit')
    }
    expect((await scrape('/whole?again')).markdown).toContain('Blue mug')
    expect(visits('/whole?again')).toBe(1)
  })

  test('that no browser can complete uses one only for the first pages of its host', async () => {
    for (let number = 0; number < 5; number++) {
      const path = `/vain/${number}`
      expect((await scrape(path)).markdown).toContain('# Mugs')
      expect(visits(path)).toBe(number < 3 ? 2 : 1)
    }
  })
})
