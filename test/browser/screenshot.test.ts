import { describe, expect, test } from 'vitest'
import type { RenderRequest, Shot } from '../../src/contracts/render-port.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { readPicture } from './programs/png.ts'
import { script, values } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const site = siteForAll()
const browser = forAll(sharedRenderer, leftOpen)

const shotOf = async (path: string, screenshot: Shot, more: Partial<RenderRequest> = {}) =>
  (await browser.render(site.url(path), { screenshot, ...more })).live.screenshot
const red = [204, 0, 0]
const green = [0, 170, 0]
const blue = [0, 0, 204]

describe.concurrent('a screenshot', () => {
  test('shows the viewport', async () => {
    const picture = readPicture(await shotOf('/boxes', { fullPage: false }))
    expect(picture).toMatchObject({ width: 1280, height: 800 })
    expect([picture.at(9, 9), picture.at(9, 700)]).toEqual([blue, red])
  })

  test('shows the whole page, with fixed elements only once', async () => {
    const picture = readPicture(await shotOf('/boxes', { fullPage: true }))
    expect(picture).toMatchObject({ width: 1280, height: 2000 })
    expect([9, 700, 805, 1005, 1990].map((y) => picture.at(9, y))).toEqual([blue, red, red, green, green])
  })

  test.each(['desktop', 'phone'])('has the requested size (%s)', async (device) => {
    const shot = { fullPage: false, viewport: { width: 333, height: 222 } }
    expect(readPicture(await shotOf('/boxes', shot, { mobile: device === 'phone' }))).toMatchObject({
      width: 333,
      height: 222,
    })
  })

  test('on a phone has the size of its screen in device pixels', async () => {
    const { width, height } = readPicture(await shotOf('/boxes', { fullPage: false }, { mobile: true }))
    expect([Math.abs(width - 1081.5) <= 0.5, Math.abs(height - 2401.9) <= 1]).toEqual([true, true])
  })

  test('is cut at the maximum height', async () => {
    expect(readPicture(await shotOf('/very-tall', { fullPage: true })).height).toBe(16_384)
  })

  test('succeeds on a page with endless animations', async () => {
    expect(await shotOf('/rest/animation', { fullPage: true })).toMatch(/^data:image\/png/)
  })
})

describe('a screenshot among other actions', () => {
  test('shows lazy images of the full page, and restores the scroll position', async () => {
    const { live } = await browser.render(site.url('/lazy'), {
      actions: [
        { type: 'scroll', direction: 'down' },
        { type: 'screenshot', fullPage: true },
        script('return [Array.from(document.images).filter((image) => image.naturalWidth > 0).length, scrollY]'),
      ],
    })
    expect(values({ live })?.[0]).toEqual([30, 800])
    const picture = readPicture(live.actions?.screenshots[0])
    const colours = Array.from({ length: 30 }, (_, at) => picture.at(50, 30 + at * 460).join())
    expect(new Set(colours)).toEqual(new Set(['0,0,255']))
  })

  test('in another size does not resize the page', async () => {
    const { live } = await browser.render(site.url('/boxes'), {
      actions: [
        { type: 'screenshot', fullPage: false, viewport: { width: 500, height: 300 } },
        script('[innerWidth, innerHeight]'),
      ],
    })
    expect(readPicture(live.actions?.screenshots[0])).toMatchObject({ width: 500, height: 300 })
    expect(values({ live })?.[0]).toEqual([1280, 800])
  })
})
