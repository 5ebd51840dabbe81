import { describe, expect, test } from 'vitest'
import type { RenderRequest } from '../../src/contracts/render-port.ts'
import { countryProfile } from '../../src/engine/browser/emulation/countries.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { answer, html, type Routes } from '../helpers/site/route.ts'
import { localCertificate } from '../helpers/site/self-signed.ts'
import { script, values } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const filler = 'A page with enough text not to count as empty, in this test of visitors and their headers. '.repeat(2)
const routes: Routes = {
  '/probe': html(`<!doctype html><title>Probe</title><p>${filler}</p><script>
    new Worker('/worker.js' + location.search)
    fetch('/seen/own' + location.search)
    fetch('http://third.test:' + location.port + '/seen/third' + location.search, { mode: 'no-cors' })
    document.body.append(Object.assign(new Image(), { src: 'http://third.test:' + location.port + '/seen/image' + location.search }))
    </script><iframe></iframe><script>document.querySelector("iframe").src = "/seen/frame" + location.search</script>`),
  '/hop': ({ url, response }) => void response.writeHead(302, { location: url.searchParams.get('to') ?? '' }).end(),
  '/worker.js': answer(200, { 'content-type': 'text/javascript' }, `fetch('/seen/worker' + location.search)`),
}

const site = siteForAll({ routes })
const secure = siteForAll({ routes, certificate: localCertificate })
const browser = forAll(sharedRenderer, leftOpen)

async function evaluateAs(
  text: string,
  more: Partial<RenderRequest> = {},
  url = `http://own.test:${site.port}/probe?${crypto.randomUUID()}`,
) {
  const page = await browser.render(url, { actions: [script(text)], ...more })
  const query = new URL(url).search
  const seen = site.requests.filter((request) => request.url.endsWith(query))
  return { value: values(page)?.[0], seen }
}

describe.concurrent('an emulated visitor', () => {
  test('is not detected as automated', async () => {
    const { value, seen } = await evaluateAs(
      `return [navigator.webdriver, navigator.userAgent, navigator.plugins.length > 0, document.hasFocus(), document.visibilityState, innerWidth]`,
    )
    expect(value).toEqual([
      false,
      expect.stringMatching(/ Chrome\/\d+\.0\.0\.0 Safari\/[\d.]+$/),
      expect.any(Boolean),
      true,
      'visible',
      1280,
    ])
    const sent = JSON.stringify(seen.map(({ headers }) => headers))
    expect(seen.length).toBeGreaterThan(2)
    expect(sent).not.toMatch(/headless/i)
    expect(seen[0]?.headers).toMatchObject({ 'accept-language': 'en-US,en;q=0.9' })
  })

  test('has the same user agent in the page, workers and frames', async () => {
    const { seen } = await evaluateAs('await new Promise((done) => setTimeout(done, 300))')
    expect(seen.map(({ url }) => url.split('?')[0])).toEqual(
      expect.arrayContaining(['/worker.js', '/seen/worker', '/seen/frame']),
    )
    const names = new Set(seen.map(({ headers }) => headers['user-agent']))
    expect(Array.from(names)).toEqual([
      expect.stringMatching(
        /^Mozilla\/5.0 \(.*\) AppleWebKit\/537.36 \(KHTML, like Gecko\) Chrome\/\d+\.0\.0\.0 Safari\/537.36$/,
      ),
    ])
  })

  test('on a phone has the properties of a phone', async () => {
    const { value, seen } = await evaluateAs(
      `return [navigator.userAgent, screen.width, devicePixelRatio, navigator.maxTouchPoints, 'ontouchstart' in window, matchMedia('(pointer: coarse)').matches, navigator.platform]`,
      { mobile: true },
    )
    const agent = expect.stringMatching(/\(Linux; Android 10; K\).* Chrome\/\d+\.0\.0\.0 Mobile Safari/)
    expect(value).toEqual([agent, 412, 2.625, 5, true, true, 'Linux armv81'])
    expect(seen[0]?.headers['user-agent']).toEqual(agent)
  })

  test('sends client hints that match the user agent', async () => {
    const more = { mobile: true, skipTlsVerification: true }
    const text = `const { brands, fullVersionList, ...rest } = await navigator.userAgentData.getHighEntropyValues(['platformVersion', 'model', 'architecture', 'bitness', 'fullVersionList']); return [rest, brands.map(({ brand }) => brand), fullVersionList.map(({ version }) => version)]`
    const { value } = await evaluateAs(text, more, secure.url('/probe?hints'))
    const [rest, brands, versions] = value as [object, string[], string[]]
    expect(rest).toEqual({
      mobile: true,
      platform: 'Android',
      platformVersion: '14.0.0',
      model: 'Pixel 7',
      architecture: '',
      bitness: '',
    })
    expect(brands).toEqual(expect.arrayContaining(['Chromium', 'Google Chrome']))
    expect(versions.filter((version) => /^\d+\.0\.\d{4}\.\d+$/.test(version))).toHaveLength(2)
    const [first] = secure.requests
    expect(first?.headers).toMatchObject({
      'sec-ch-ua-mobile': '?1',
      'sec-ch-ua-platform': '"Android"',
      'sec-ch-ua': expect.stringContaining('"Google Chrome"'),
    })
  })

  test('from another country has its language, time zone and number format', async () => {
    const text = `return [navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString(), new Date(0).getTimezoneOffset()]`
    const { value, seen } = await evaluateAs(text, { location: { country: 'DE' } })
    expect(value).toEqual([['de-DE', 'de'], 'Europe/Berlin', '1,5', -60])
    expect(seen.find(({ url }) => url.startsWith('/probe'))?.headers['accept-language']).toBe('de-DE,de;q=0.9')
  })

  test('prefers the requested languages', async () => {
    const { value } = await evaluateAs('return navigator.languages', {
      location: { country: 'CH', languages: ['fr-CH', 'it'] },
    })
    expect(value).toEqual(['fr-CH', 'fr', 'it'])
  })
})

describe.concurrent('headers of the caller', () => {
  const headers = {
    'X-Key': 'k1',
    cookie: 'a=1; b="x=y"; c',
    'User-Agent': 'Mine/1.0',
    Accept: 'text/mine',
    host: 'evil.test',
  }

  test('are sent only to the origin of the page', async () => {
    const { value, seen } = await evaluateAs(
      'await new Promise((done) => setTimeout(done, 300)); return navigator.userAgent',
      { headers },
    )
    expect(value).toBe('Mine/1.0')
    const own = seen.filter(({ url }) => /^\/(?:probe|seen\/own)/.test(url))
    const third = seen.filter(({ url }) => /third|image/.test(url))
    expect([own.length, third.length]).toEqual([2, 2])
    for (const { headers: got } of own) {
      expect(got).toMatchObject({
        'x-key': 'k1',
        accept: 'text/mine',
        'user-agent': 'Mine/1.0',
        host: `own.test:${site.port}`,
      })
      expect(got.cookie?.split('; ').sort()).toEqual(['a=1', 'b="x=y"', 'c='])
    }
    for (const { headers: got } of third) {
      expect(got).not.toHaveProperty('x-key')
      expect(got).not.toHaveProperty('cookie')
      expect(got.accept).not.toBe('text/mine')
    }
  })

  test('are not sent to a site that the page redirects to', async () => {
    const id = crypto.randomUUID()
    const to = `http://third.test:${site.port}/seen/away?${id}`
    await browser.render(`http://own.test:${site.port}/hop?to=${encodeURIComponent(to)}`, { headers })
    const [seen, ...more] = site.requests.filter(({ url }) => url === `/seen/away?${id}`)
    // The file is fetched a second time, without the browser.
    for (const request of [seen, ...more]) {
      expect(request?.headers).not.toHaveProperty('x-key')
      expect(request?.headers).not.toHaveProperty('cookie')
    }
  })

  test('are kept on redirects within the site', async () => {
    const id = crypto.randomUUID()
    await browser.render(`http://own.test:${site.port}/hop?to=${encodeURIComponent(`/plain?${id}`)}`, { headers })
    expect(site.requests.find(({ url }) => url === `/plain?${id}`)?.headers).toMatchObject({ 'x-key': 'k1' })
  })

  test('are not sent by the next visit', async () => {
    const { seen } = await evaluateAs('return document.cookie')
    expect(seen[0]?.headers).not.toHaveProperty('cookie')
    expect(seen[0]?.headers).not.toHaveProperty('x-key')
  })
})

describe.concurrent('a certificate that cannot be verified', () => {
  test('is refused', async () => {
    await expect(browser.render(secure.url('/plain'))).rejects.toMatchObject({ code: 'SCRAPE_SSL_ERROR' })
  })

  test('is accepted on request, including for files', async () => {
    expect(await browser.render(secure.url('/plain'), { skipTlsVerification: true })).toMatchObject({ status: 200 })
    expect(await browser.render(secure.url('/file.zip'), { skipTlsVerification: true })).toMatchObject({ status: 200 })
  })
})

test('every country in the table has a valid language, time zone and location', () => {
  const countries = Array.from({ length: 676 }, (_, at) =>
    String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)),
  )
  const places = countries.flatMap((country) => countryProfile(country) ?? [])
  expect(places.length).toBeGreaterThan(50)
  for (const { locale, timezoneId, latitude, longitude } of places) {
    expect(Intl.DateTimeFormat.supportedLocalesOf(locale)).toEqual([locale])
    expect(() => new Intl.DateTimeFormat(locale, { timeZone: timezoneId })).not.toThrow()
    expect([Math.abs(latitude) < 90, Math.abs(longitude) <= 180]).toEqual([true, true])
  }
})
