import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, cleanEnv, tempDir } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { answer } from '../helpers/site/route.ts'
import { type AnyClient, connect } from '../mcp/clients.ts'

const folder = tempDir()
/** Ten million characters with one fact in them. */
const filler = '## Part\n\nNothing of the kind is said here, whatever is sought.\n\n'.repeat(75_000)
const huge = `# Tariffs\n\n${filler}## Boats\n\nThe tariff of a yawl is 17 thalers.\n\n${filler}`
let site: Site
let client: AnyClient

beforeAll(async () => {
  site = await startSite({
    routes: { '/huge.md': answer(200, { 'content-type': 'text/markdown; charset=utf-8' }, huge) },
  })
  const env = cleanEnv({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
  client = await connect('v1', { command: [process.execPath, bin], env }, {})
}, 60_000)
afterAll(async () => {
  await client.close()
  await site.close()
  folder.remove()
})

async function call(name: string, args: object) {
  const { content, isError } = await client.call(name, args as Record<string, unknown>)
  const text = content.map((part) => part.text ?? '').join('\n')
  return { text, isError: isError === true, scrapeId: /scrapeId (\S+)/.exec(text)?.[1] }
}
/** As bytes a token, generously. */
const tokens = (text: string) => text.length / 4

describe('one call reads', () => {
  it('a block of code of a page of docs', async () => {
    const code = '```sh\nnpm install harbour-client\nharbour login --token "$TOKEN"\n```'
    for (const part of [{ section: 'install' }, { find: 'harbour login' }, { find: '/npm \\w+ harbour/' }]) {
      const { text } = await call('scrape', { url: site.url('/docs'), ...part })
      expect(text).toContain(code)
      expect(text).not.toContain('DOCS_END')
      expect(tokens(text)).toBeLessThan(400)
    }
  })

  it('a fact of a page of ten million characters, and the words around it', async () => {
    const { text, scrapeId } = await call('scrape', { url: site.url('/huge.md'), find: 'tariff of a yawl' })
    expect(text).toContain('17 thalers')
    expect(text).toContain(' Tariffs > Boats]')
    expect(tokens(text)).toBeLessThan(400)
    const offset = Number(/\[(\d+) Tariffs > Boats\]/.exec(text)?.[1])
    const around = await call('scrape_result', { jobId: scrapeId, offset, maxCharacters: 1000 })
    expect(around.text).toMatch(/<untrusted\d+>\nThe tariff of a yawl/)
    const again = await call('scrape_result', { jobId: scrapeId, section: 'Boats' })
    expect(again.text).toMatch(/>\n## Boats\n\nThe tariff of a yawl is 17 thalers\.\n<\//)
  })
})

it('says what to do where there is nothing of the kind', async () => {
  const url = site.url('/docs')
  expect((await call('scrape', { url, find: 'zebra' })).text).toMatch(/Nothing has "zebra" in \d+ characters/)
  const missing = await call('scrape', { url, section: 'Instal' })
  expect(missing.text).toMatch(
    /No heading "Instal"\. The nearest, with offset:\n\n<untrusted\d+>\n\d+ Install the client/,
  )
  const refused = await call('scrape', { url, find: '/(/' })
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^BAD_REQUEST[^]*find/) })
})
