import { describe, expect, test } from 'vitest'
import type { AppError } from '../../src/kernel/error.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { openRenderer, textOf } from './programs/rendering.ts'

const site = siteForAll()
const browser = forAll(() => openRenderer([`127.0.0.1:${site.port}`], { maxPages: 8 }))

const stopped = 'A script of the page did not end, so the page was stopped; the result is what had loaded by then.'

describe.concurrent('a hostile page', () => {
  test.each([
    ['with an endless script', 'endless-script', 'Before the end.'],
    ['with a later endless script', 'endless-later', 'Before the end.'],
    ['with endless promises', 'endless-promise', 'Before the end.'],
  ])('%s is stopped and read', async (_, name, text) => {
    const page = await browser.render(site.url(`/hostile/${name}`))
    expect(page.warning).toBe(stopped)
    expect(textOf(page)).toContain(text)
  })

  test('that alerts endlessly is read, or abandoned as hanging', async () => {
    const outcome = await browser.render(site.url('/hostile/alerts')).then(
      (page) => ({ warning: page.warning, text: textOf(page) }),
      (error: AppError) => ({ code: error.code }),
    )
    if ('code' in outcome) expect(outcome.code).toBe('SCRAPE_TIMEOUT')
    else
      expect(outcome).toMatchObject({ warning: stopped, text: expect.stringContaining('Before the alerts.') as string })
  })

  test.each([
    ['that reloads itself all the time', 'reload', 'Here again.'],
    ['that is full of breakpoints', 'debugger', 'Never stopped.'],
    ['that rewrites itself all the time', 'writing', 'Written.'],
    ['that never stops growing', 'growing', 'More and more words'],
    ['that is very deep', 'deep', 'Deep down.'],
    ['that overrides browser functions', 'overrides', 'The truth.'],
    ['that sets a thousand cookies', 'cookies', 'Sweet.'],
    ['that asks for every permission', 'fullscreen', 'Asked for everything.'],
  ])('%s is read', async (_, name, text) => {
    const page = await browser.render(site.url(`/hostile/${name}`))
    expect(textOf(page)).toContain(text)
    expect(page.warning).toBeUndefined()
  })

  test('whose HTML never ends is returned as received so far, with a warning', async () => {
    const page = await browser.render(site.url('/hang-after-headers'))
    expect(textOf(page)).toContain('first part')
    expect(page.warning).toBe('The page did not finish loading in time; the result is what had loaded by then.')
  })

  test('with 50 MB is read up to the limit', async () => {
    // On a loaded machine little more may have arrived within the time limit.
    const page = await browser.render(site.url('/hostile/huge'), { maxBytes: 5_000_000 })
    expect(textOf(page).slice(0, 200)).toContain('Huge page')
    expect(page).toMatchObject({ status: 200, warning: expect.stringContaining('The page is too large') })
    expect(page.body.byteLength).toBe(5_000_000)
  })

  test('that opens a thousand windows is read, and none stays open', async () => {
    expect(textOf(await browser.render(site.url('/popups')))).toContain('Here all the same.')
    expect(site.requests.filter(({ url }) => url.startsWith('/popped'))).toEqual([])
  })

  test.each([
    ['redirects endlessly', '/hostile/redirects/1', 'SCRAPE_SITE_ERROR'],
    ['cuts the connection', '/cut-before-headers', 'SCRAPE_ALL_ENGINES_FAILED'],
    ['does not speak HTTP', '/not-http', 'SCRAPE_SITE_ERROR'],
  ])('that %s fails with its error code', async (_, path, code) => {
    await expect(browser.render(site.url(path))).rejects.toMatchObject({ code })
  })

  test('whose scripts redirect endlessly returns a page or an error', async () => {
    const ended = await browser.render(site.url('/hostile/script-redirects')).catch((error: unknown) => error)
    expect(ended).toMatchObject('body' in (ended as object) ? { status: 200 } : { code: /^SCRAPE_/ })
  })
})

test('hostile pages do not affect the next page', async () => {
  expect(textOf(await browser.render(site.url('/plain')))).toContain('Plain page')
})
