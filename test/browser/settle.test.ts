import { beforeAll, expect, test } from 'vitest'
import { isFull } from '../attack/hostile.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { restContent, restRoutes } from '../helpers/site/browser.ts'
import { type Rendering, textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

let browser: Omit<Rendering, 'close'>
const site = siteForAll()
beforeAll(async () => {
  browser = await sharedRenderer()
})

/** A full run asks for each three times at once. */
const times = Array.from({ length: isFull ? 3 : 1 })

test.concurrent.each(Object.keys(restRoutes))('the content of %s is there', async (path) => {
  for (const page of await Promise.all(times.map(() => browser.render(site.url(path))))) {
    expect(textOf(page)).toContain(`${restContent}<`)
    expect(page.warning).toBeUndefined()
  }
})
