import { expect, test } from 'vitest'
import { isFull } from '../attack/hostile.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { restContent, restRoutes } from '../helpers/site/browser.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const site = siteForAll()
const browser = forAll(sharedRenderer, leftOpen)

/** A full run opens each page three times concurrently. */
const times = Array.from({ length: isFull ? 3 : 1 })

test.concurrent.each(Object.keys(restRoutes))('the content of %s is complete', async (path) => {
  for (const page of await Promise.all(times.map(() => browser.render(site.url(path))))) {
    expect(textOf(page)).toContain(`${restContent}<`)
    expect(page.warning).toBeUndefined()
  }
})
