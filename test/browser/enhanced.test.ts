import { describe, expect, test } from 'vitest'
import { findBrowser } from '../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../src/engine/browser/find/machine-probes.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { click, openRenderer, script, textOf, values } from './programs/rendering.ts'

const found = await findBrowser('full', {}, machineProbes('/nowhere')).catch(() => undefined)
const fullChrome = found?.from !== 'remote' && found?.kind === 'full' ? found.path : undefined

const site = siteForAll()
const browser = forAll(() => {
  const place = [`127.0.0.1:${site.port}`, `other.test:${site.port}`]
  return openRenderer(place, { settings: { browserPath: fullChrome } })
})

describe.skipIf(fullChrome === undefined)('an enhanced visit with a full Chrome', () => {
  const enhanced = { proxy: 'enhanced' } as const

  test('reads a page with its frames, and is not detected as automated', async () => {
    const actions = [
      script('[navigator.webdriver, navigator.plugins.length > 0, document.visibilityState, innerWidth]'),
    ]
    const page = await browser.render(site.url(`/frames?other=http://other.test:${site.port}`), {
      ...enhanced,
      actions,
    })
    expect(values(page)?.[0]).toEqual([false, true, 'visible', 1280])
    expect(textOf(page)).toContain('Inside the other frame.')
    expect(JSON.stringify(site.requests.map(({ headers }) => headers))).not.toMatch(/headless/i)
  })

  test('opens a link for a new window in the same page', async () => {
    const page = await browser.render(site.url('/form'), { ...enhanced, actions: [click('#blank')] })
    expect(page).toMatchObject({ url: site.url('/plain'), status: 200 })
  })

  test('takes screenshots, including of reused pages', async () => {
    const visit = { ...enhanced, reuse: 'pictures', screenshot: { fullPage: false } }
    const pages = await Promise.all(['/boxes', '/plain', '/app'].map((path) => browser.render(site.url(path), visit)))
    const again = await Promise.all(['/plain', '/boxes'].map((path) => browser.render(site.url(path), visit)))
    for (const { live } of [...pages, ...again]) expect(live.screenshot).toMatch(/^data:image\/png;base64,.{1000}/)
    expect(again[1]?.live.screenshot).toBe(pages[0]?.live.screenshot)
  })
})
