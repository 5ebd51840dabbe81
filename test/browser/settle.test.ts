import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite, type Site } from '../helpers/site.ts'
import { restContent, restRoutes } from '../helpers/site/browser.ts'
import { openRenderer, type Rendering, textOf } from './programs/rendering.ts'

let site: Site
let browser: Rendering
beforeAll(async () => {
  site = await startSite()
  browser = await openRenderer([`127.0.0.1:${site.port}`], { maxPages: 8 })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test.concurrent.each(Object.keys(restRoutes))('the content of %s is there, three times of three', async (path) => {
  for (const page of await Promise.all([1, 2, 3].map(() => browser.render(site.url(path))))) {
    expect(textOf(page)).toContain(`${restContent}<`)
    expect(page.warning).toBeUndefined()
  }
})
