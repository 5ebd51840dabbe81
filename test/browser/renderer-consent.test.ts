import { describe, expect, test } from 'vitest'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { readPicture } from './programs/png.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const site = siteForAll()
const browser = forAll(sharedRenderer, leftOpen)

const reds = (dataUrl: string | undefined) => {
  const picture = readPicture(dataUrl)
  const points = Array.from({ length: 40 }, (_, at) => picture.at(640, at * 20))
  return points.filter(([red = 0, green = 0]) => red > 250 && green < 5).length
}
const visit = (path: string, blockAds: 'block' | 'leave') =>
  browser.render(site.url(path), { blockAds: blockAds === 'block', screenshot: { fullPage: false } })

describe.concurrent('a cookie banner', () => {
  test.each(['platform', 'home-made', 'dialog'])('(%s) is rejected and is not in the screenshot', async (shape) => {
    const page = await visit(`/consent/${shape}`, 'block')
    expect(reds(page.live.screenshot)).toBe(0)
    expect(textOf(page)).not.toContain('<title>accepted')
  })

  test.each(['platform', 'home-made', 'dialog'])('(%s) stays without blockAds', async (shape) => {
    const page = await visit(`/consent/${shape}`, 'leave')
    expect(reds(page.live.screenshot)).toBeGreaterThan(5)
    expect(textOf(page)).toContain('<title>asked')
  })

  test('is not detected in a text about cookies', async () => {
    expect(textOf(await visit('/consent/none', 'block'))).toContain('We sell cookies.')
  })
})
