import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../helpers/program.ts'
import { html } from '../helpers/site/route.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'

const counter = `<!doctype html><title>Counter</title><h1>Counter</h1><button id="add" onclick="add()">Add</button>
<p id="count">0</p><p>${'It has enough to say to be taken for a whole page. '.repeat(4)}</p>
<script>function add() { const p = document.querySelector('#count'); p.textContent = Number(p.textContent) + 1 }</script>`

const folder = folderForAll()
let server: Awaited<ReturnType<typeof startServer>>
let sdk: Firecrawl

const site = siteForAll({ routes: { '/interact/counter': html(counter) } })
beforeAll(async () => {
  await start()
})
afterAll(() => server?.stop())

async function start(): Promise<void> {
  server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    // Not every machine that runs tests has a strong sandbox.
    GOSSAMER_UNSANDBOXED_CODE: 'always',
  })
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url, maxRetries: 1 })
}

const scraped = async (options: object = {}) => {
  const { metadata } = await sdk.scrape(site.url('/interact/counter'), { formats: ['markdown'], ...options })
  return String(metadata?.scrapeId)
}
const count = "await page.click('#add')\nawait page.textContent('#count')"
const refused = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was not refused'),
    ({ status, code }: { status?: number; code?: string }) => ({ status, code }),
  )

it('the SDK of Firecrawl continues from a scrape of an earlier process, but not from a stopped one', async () => {
  const [one, two] = [await scraped(), await scraped({ location: { country: 'FR' }, headers: { 'x-custom': 'yes' } })]
  await sdk.interact(one, { code: count })
  await server.stop()
  await start()
  expect(await refused(sdk.interact(one, { code: count }))).toEqual({ status: 410, code: 'SESSION_GONE' })
  expect(await sdk.interact(two, { code: count, language: 'node' })).toMatchObject({ result: '1' })
  expect(site.requests.at(-1)?.headers).toMatchObject({
    'x-custom': 'yes',
    'accept-language': expect.stringMatching(/^fr/),
  })
})
