import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, cleanEnv, startServer } from '../helpers/program.ts'
import { overRest, type Road } from '../helpers/roads.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { hiddenText, invisible } from '../helpers/site/injection.ts'

const formats = ['markdown', 'html', 'links', 'images']
/** Words of the page only, none of which may appear outside the marked blocks. */
const ofPage = /HIDDEN_|VISIBLE_|FORGED_|META_TEXT|INVISIBLE_DATA|FAULT_TEXT|Garden tools|untrusted123456/

const folder = folderForAll()
let server: Awaited<ReturnType<typeof startServer>>
let rest: Road
const clients = {} as Record<'stdio' | 'http', Client>

const site = siteForAll()
beforeAll(async () => {
  const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
  server = await startServer(env)
  rest = overRest(server.url)
  const transports = {
    stdio: new StdioClientTransport({
      command: process.execPath,
      args: [bin],
      env: cleanEnv(env),
      stderr: 'ignore',
    }),
    http: new StreamableHTTPClientTransport(new URL('/mcp', server.url)),
  }
  for (const road of ['stdio', 'http'] as const) {
    clients[road] = new Client({ name: 'injection', version: '1.0.0' })
    await clients[road].connect(transports[road])
  }
})

afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()))
  await server.stop()
})

type Answer = Awaited<ReturnType<Client['callTool']>>
const textOf = ({ content }: Answer) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/**
 * An answer as a careful reader splits it: the blocks whose end has the number of their start, and the text around
 * them.
 */
function readAnswer(text: string): { tag: string; blocks: { label: string; text: string }[]; around: string } {
  const [, tag = ''] = /<(untrusted\d+)/.exec(text) ?? []
  const pattern = new RegExp(`<${tag}([^>]*)>\\n([^]*?)\\n</${tag}>`, 'g')
  const blocks = [...text.matchAll(pattern)].map(([, label = '', inner = '']) => ({ label: label.trim(), text: inner }))
  return { tag, blocks, around: text.replace(pattern, '') }
}

it('the page under test contains every injection', async () => {
  const page = await (await fetch(site.url('/injection'))).text()
  expect(Object.values(hiddenText).length).toBeGreaterThan(30)
  for (const html of Object.values(hiddenText)) expect(page).toContain(html)
  expect(page).toMatch(invisible)
  for (const word of ofPage.source.split('|').filter((each) => each !== 'FAULT_TEXT')) expect(page).toContain(word)
})

describe.each(['stdio', 'http'] as const)('a page full of injections over MCP (%s)', (road) => {
  const call = (name: string, args: Record<string, unknown>) => clients[road].callTool({ name, arguments: args })
  const scrape = (path: string, more: object = {}) => call('scrape', { url: site.url(path), maxAge: 0, ...more })

  it.each([
    ['its main content', { onlyMainContent: true }],
    ['all of it', { onlyMainContent: false }],
  ])('shows only text that a person sees: %s', async (_, options) => {
    const text = textOf(await scrape('/injection', { formats, ...options }))
    expect(text).toMatch(/VISIBLE_START[^]*VISIBLE_END/)
    expect(text).not.toContain('HIDDEN_')
    expect(JSON.stringify(invisible.exec(text))).toBe('null')
  })

  it('returns page content only in marked blocks that name their content', async () => {
    const { blocks, around } = readAnswer(textOf(await scrape('/injection', { formats: [...formats, 'rawHtml'] })))
    expect(blocks).toHaveLength(formats.length + 1)
    expect(blocks.map(({ label }) => label).sort()).toEqual([...formats, 'rawHtml'].sort())
    expect(around).toContain(site.url('/injection'))
    expect(blocks.map(({ text }) => text).join('\n')).toMatch(/FORGED_END[^]*FORGED_CALL[^]*FORGED_HEAD/)
    expect(around).not.toMatch(ofPage)
    expect(around).toMatch(/status 200 · read now/)
  })

  it('lets nothing in the page look like a marker, even with another number', async () => {
    const text = textOf(await scrape('/injection', { formats: [...formats, 'rawHtml'] }))
    const { tag, blocks } = readAnswer(text)
    expect(tag).toMatch(/^untrusted\d{6}$/)
    expect(text.match(/<\s*\/?\s*untrusted/gi)).toHaveLength(2 * blocks.length)
    for (const block of blocks) expect(block.text).not.toMatch(/<\s*\/?\s*untrusted/i)
  })

  it('does so when the page is read piece by piece', async () => {
    const scrapeId = /scrapeId (\S+)/.exec(textOf(await scrape('/injection', { formats })))?.[1]
    let offset: number | undefined = 0
    let pieces = 0
    for (; offset !== undefined && pieces < 100; pieces++) {
      const text = textOf(await call('scrape_result', { jobId: scrapeId, offset, maxCharacters: 1000 }))
      const { blocks, around } = readAnswer(text)
      expect(blocks.length).toBeGreaterThan(0)
      expect(around).not.toMatch(ofPage)
      offset = Number(/"offset":(\d+)\}\]$/.exec(around)?.[1] ?? Number.NaN)
      if (Number.isNaN(offset)) offset = undefined
    }
    expect(pieces).toBeGreaterThan(5)
    expect(pieces).toBeLessThan(100)
  })

  it('does so in resources', async () => {
    const scrapeId = /scrapeId (\S+)/.exec(textOf(await scrape('/injection', { formats })))?.[1]
    const { contents } = await clients[road].readResource({ uri: `gossamer://scrape/${scrapeId}` })
    const text = contents.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    const { blocks, around } = readAnswer(text)
    expect(blocks).toHaveLength(formats.length)
    expect(around).not.toMatch(ofPage)
    expect(JSON.stringify(invisible.exec(text))).toBe('null')
  })

  it.each(['/injection/plain', '/injection/data'])('cleans text that is no HTML: %s', async (path) => {
    const text = textOf(await scrape(path))
    const { blocks, around } = readAnswer(text)
    expect(blocks.map((block) => block.text).join('\n')).toMatch(/VISIBLE_START[^]*VISIBLE_END/)
    expect(around).not.toMatch(ofPage)
    expect(JSON.stringify(invisible.exec(text))).toBe('null')
  })

  it.each([
    ['/injection/broken-pdf', /^(?:SCRAPE|PDF)_\w+: /],
    ['/injection/binary', /^SCRAPE_UNSUPPORTED_FILE_ERROR: /],
    ['/injection/redirect', /^SCRAPE_ADDRESS_REFUSED: /],
    ['/injection/bad-redirect', /^SCRAPE_SITE_ERROR: /],
  ])('shows nothing from the site if it fails at %s', async (path, code) => {
    const answer = await scrape(path)
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toMatch(code)
    expect(JSON.stringify(answer)).not.toMatch(/FAULT_TEXT|Ignore all/i)
    const overHttp = await rest.call('scrape', { url: site.url(path), maxAge: 0 })
    expect(overHttp.code).toMatch(/^(?:SCRAPE|PDF)_/)
    expect(JSON.stringify(overHttp)).not.toMatch(/FAULT_TEXT|Ignore all/i)
  })
})
