import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedServer } from '../helpers/shared-server.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { html } from '../helpers/site/route.ts'

const tells = `<!doctype html><title>Clock</title><main><h1>Clock</h1><p id="place">Somewhere</p></main>
<script>document.getElementById('place').textContent =
  Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.languages.join(' ') + ' ' + new Date(0).toLocaleString()</script>`

/** A site each: a server remembers of a host that its pages need a browser. */
let site: Site
let still: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/clock': html(tells) } })
  still = await startSite({ routes: { '/still': html('<h1>Still</h1><p>No scripts.</p>') } })
})
afterAll(async () => {
  await Promise.all([site.close(), still.close()])
})

type Answer = { data: { markdown: string; metadata: { timezone?: string } } }

async function scraped(page: string, location: object): Promise<Answer['data']> {
  const { url } = await sharedServer()
  const body = JSON.stringify({ url: page, location })
  const headers = { 'content-type': 'application/json' }
  return ((await (await fetch(`${url}/v2/scrape`, { method: 'POST', body, headers })).json()) as Answer).data
}
const languagesOf = ({ requests }: Site, path: string) =>
  requests.findLast(({ url }) => url === path)?.headers['accept-language']

test('a page with scripts sees the time zone and languages of the location', async () => {
  const { markdown, metadata } = await scraped(site.url('/clock'), { country: 'JP' })
  expect(markdown).toContain('Asia/Tokyo ja-JP ja 1970/1/1 9:00:00')
  expect(metadata.timezone).toBe('Asia/Tokyo')
  expect(languagesOf(site, '/clock')).toMatch(/^ja-JP,ja/)
})

test('a page without scripts is requested in the languages of the location', async () => {
  const { markdown, metadata } = await scraped(still.url('/still'), { country: 'DE', languages: ['de-CH', 'fr'] })
  expect(markdown).toContain('No scripts.')
  expect(metadata).not.toHaveProperty('timezone')
  expect(still.requests.filter(({ url }) => url === '/still')).toHaveLength(1)
  expect(languagesOf(still, '/still')).toBe('de-CH, fr;q=0.9')
})
