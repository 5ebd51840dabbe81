import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSite, type Site } from '../helpers/site.ts'
import { openRenderer, type Rendering, textOf } from './programs/rendering.ts'

let site: Site
let browser: Rendering
beforeAll(async () => {
  site = await startSite()
  browser = await openRenderer([`127.0.0.1:${site.port}`, `other.test:${site.port}`], { maxPages: 8 })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const html = async (path: string) => textOf(await browser.render(site.url(path)))

describe.concurrent('a page is taken as it stands', () => {
  test('with what is in its open shadow roots, in the order it is shown', async () => {
    const text = await html('/shadow')
    expect(text).toContain('<p>Card of <b>Ann</b>, <i slot="note">of old</i>.nothing else</p>')
    expect(text).toContain('<template id="t"><p>kept</p></template>')
    expect(text).not.toContain('never seen')
  })

  test('with its frames, whose links stay right', async () => {
    const text = await html(`/frames?other=http://other.test:${site.port}`)
    expect(text).toContain('Inside the same frame.')
    expect(text).toContain('<i>deep</i>')
    expect(text).toContain(`href="${site.url('/frame/next')}"`)
    expect(text).toContain('Written in place.')
  })

  test.each([
    ['a meta refresh', '/meta-refresh'],
    ['a script that leads on', '/js-redirect'],
    ['a script that leads on late', '/late-redirect'],
    ['a chain of redirects', '/chain'],
  ])('at the end of %s', async (_, path) => {
    const page = await browser.render(site.url(path))
    expect(page).toMatchObject({ url: site.url('/plain'), status: 200, headers: { 'x-mark': 'plain' } })
    expect(textOf(page)).toContain('Plain page')
  })

  test('under the address it gave itself', async () => {
    expect(await browser.render(site.url('/push-state'))).toMatchObject({ url: site.url('/pushed?x=1'), status: 200 })
  })

  test.each([404, 410, 500, 503])('with status %i', async (status) => {
    expect(await browser.render(site.url(`/status/${status}`))).toMatchObject({
      status,
      url: site.url(`/status/${status}`),
    })
  })

  test('and empty where an error has no body', async () => {
    const page = await browser.render(site.url('/empty-404'))
    expect(page).toMatchObject({ status: 404, url: site.url('/empty-404') })
    expect(textOf(page)).not.toMatch(/\w{20}/)
  })

  test('made by its scripts', async () => {
    const text = await html('/app')
    expect(text).toContain('<h1>Home</h1>')
    expect(text).not.toContain('Loading')
  })

  test('when its dialogs have been answered', async () => {
    expect(await html('/dialogs')).toContain('[true,"Ann"]')
  })

  test('when a service worker has answered', async () => {
    expect(await html('/worker')).toContain('The service worker answered.')
  })

  test('when half of what it loads is broken', async () => {
    expect(await html('/broken-assets')).toContain('Shown anyway.')
  })

  test('when it tries to close its window', async () => {
    expect(await html('/closing')).toContain('Still here.')
  })

  test('up to the limit, and says so', async () => {
    const page = await browser.render(site.url('/plain'), { maxBytes: 60 })
    expect(page.body).toHaveLength(60)
    expect(page.warning).toBe('The page is too large, and is shown up to its limit.')
  })

  test('in UTF-8, whatever it came in', async () => {
    const { headers } = await browser.render(site.url('/plain'))
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers).not.toHaveProperty('content-length')
  })
})

describe.concurrent('an address that leads to a file', () => {
  test.each([
    ['/file.zip', 'PK of a zip'],
    ['/attached', '<p>saved'],
    ['/file.json', '{"a":1}'],
    ['/file.pdf', '%PDF-1.4 of no pages'],
    ['/no-content', ''],
  ])('(%s) brings the file', async (path, body) => {
    const page = await browser.render(site.url(path))
    expect(textOf(page)).toBe(body)
    expect(page.url).toBe(site.url(path))
    expect(page.warning).toBeUndefined()
  })

  test('that can be shown brings a picture too', async () => {
    const page = await browser.render(site.url('/file.json'), { screenshot: { fullPage: false } })
    expect(textOf(page)).toBe('{"a":1}')
    expect(page.live.screenshot).toMatch(/^data:image\/png;base64,/)
  })

  test('that cannot be shown says why there is no picture', async () => {
    const page = await browser.render(site.url('/file.zip'), { screenshot: { fullPage: false } })
    expect(page.live).toEqual({})
    expect(page.warning).toMatch('leads to a file')
  })
})
