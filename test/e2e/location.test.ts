import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { html } from '../helpers/site/route.ts'

const tells = `<!doctype html><title>Clock</title><main><h1>Clock</h1><p id="place">Somewhere</p></main>
<script>document.getElementById('place').textContent =
  Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.languages.join(' ') + ' ' + new Date(0).toLocaleString()</script>`

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/clock': html(tells), '/still': html('<h1>Still</h1><p>No scripts.</p>') } })
})
afterAll(() => site.close())

type Answer = { data: { markdown: string; metadata: { timezone?: string } } }

async function scraped(env: Record<string, string>, path: string, location: object): Promise<Answer['data']> {
  const dir = tempDir()
  const server = await startServer({ GOSSAMER_DATA_DIR: dir.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1', ...env })
  try {
    const body = JSON.stringify({ url: site.url(path), location })
    const headers = { 'content-type': 'application/json' }
    return ((await (await fetch(`${server.url}/v2/scrape`, { method: 'POST', body, headers })).json()) as Answer).data
  } finally {
    await server.stop()
    dir.remove()
  }
}
const languagesOf = (path: string) => site.requests.findLast(({ url }) => url === path)?.headers['accept-language']

test('a page with scripts sees the time zone and languages of the location', async () => {
  const { markdown, metadata } = await scraped({}, '/clock?ja', { country: 'JP' })
  expect(markdown).toContain('Asia/Tokyo ja-JP ja 1970/1/1 9:00:00')
  expect(metadata.timezone).toBe('Asia/Tokyo')
  expect(languagesOf('/clock?ja')).toMatch(/^ja-JP,ja/)
})

test('a page without scripts is fetched in the languages of the location', async () => {
  const { markdown, metadata } = await scraped({}, '/still', { country: 'DE', languages: ['de-CH', 'fr'] })
  expect(markdown).toContain('No scripts.')
  expect(metadata).not.toHaveProperty('timezone')
  expect(site.requests.filter(({ url }) => url === '/still')).toHaveLength(1)
  expect(languagesOf('/still')).toBe('de-CH, fr;q=0.9')
})

test('by headers alone, no browser is used', async () => {
  const { markdown, metadata } = await scraped({ GOSSAMER_LOCATION_MODE: 'headers' }, '/clock?off', { country: 'JP' })
  expect(markdown).toContain('Somewhere')
  expect(metadata).not.toHaveProperty('timezone')
  expect(languagesOf('/clock?off')).toBe('ja-JP, ja;q=0.9')
})
