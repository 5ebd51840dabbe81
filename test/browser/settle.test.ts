import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite, type Site } from '../helpers/site.ts'
import { restContent, restRoutes } from '../helpers/site/browser.ts'
import { type Rendering, textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

let site: Site
let browser: Omit<Rendering, 'close'>
beforeAll(async () => {
  site = await startSite()
  browser = await sharedRenderer()
})
afterAll(async () => {
  await site?.close()
})

test.concurrent.each(Object.keys(restRoutes))(
  'the content of %s is complete, three times out of three',
  async (path) => {
    for (const page of await Promise.all([1, 2, 3].map(() => browser.render(site.url(path))))) {
      expect(textOf(page)).toContain(`${restContent}<`)
      expect(page.warning).toBeUndefined()
    }
  },
)
