import { describe, expect, it } from 'vitest'
import { folderForAll, forAll, siteForAll } from '../helpers/for-all.ts'
import { readMarked } from '../helpers/marked.ts'
import { stdioClient } from '../helpers/mcp-client.ts'
import { hiddenText, invisible } from '../helpers/site/injection.ts'

const formats = ['markdown', 'html', 'links', 'images']
/** Words of the page only, none of which may appear outside the marked blocks. */
const ofPage = /HIDDEN_|VISIBLE_|FORGED_|META_TEXT|INVISIBLE_DATA|FAULT_TEXT|Garden tools|untrusted123456/

const folder = folderForAll()
const site = siteForAll()
const client = forAll(() => stdioClient({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }))
const scrape = (path: string, more: object = {}) => client.call('scrape', { url: site.url(path), maxAge: 0, ...more })

it('the page under test contains every injection', async () => {
  const page = await (await fetch(site.url('/injection'))).text()
  expect(Object.values(hiddenText).length).toBeGreaterThan(30)
  for (const html of Object.values(hiddenText)) expect(page).toContain(html)
  expect(page).toMatch(invisible)
  for (const word of ofPage.source.split('|').filter((each) => each !== 'FAULT_TEXT')) expect(page).toContain(word)
})

describe('a page full of injections over MCP', () => {
  it.each([
    ['its main content', { onlyMainContent: true }],
    ['all of it', { onlyMainContent: false }],
  ])('shows only text that a person sees: %s', async (_, options) => {
    const { text } = await scrape('/injection', { formats, ...options })
    expect(text).toMatch(/VISIBLE_START[^]*VISIBLE_END/)
    expect(text).not.toContain('HIDDEN_')
    expect(JSON.stringify(invisible.exec(text))).toBe('null')
  })

  it('returns page content only in marked blocks that name their content', async () => {
    const { blocks, around } = readMarked((await scrape('/injection', { formats: [...formats, 'rawHtml'] })).text)
    expect(blocks).toHaveLength(formats.length + 1)
    expect(blocks.map(({ label }) => label).sort()).toEqual([...formats, 'rawHtml'].sort())
    expect(around).toContain(site.url('/injection'))
    expect(blocks.map(({ text }) => text).join('\n')).toMatch(/FORGED_END[^]*FORGED_CALL[^]*FORGED_HEAD/)
    expect(around).not.toMatch(ofPage)
    expect(around).toMatch(/status 200 · read now/)
  })

  it('lets nothing in the page look like a marker, even with another number', async () => {
    const { text } = await scrape('/injection', { formats: [...formats, 'rawHtml'] })
    const { tag, blocks } = readMarked(text)
    expect(tag).toMatch(/^untrusted\d{6}$/)
    expect(text.match(/<\s*\/?\s*untrusted/gi)).toHaveLength(2 * blocks.length)
    for (const block of blocks) expect(block.text).not.toMatch(/<\s*\/?\s*untrusted/i)
  })

  it('returns page content only in marked blocks when it is read piece by piece', async () => {
    const scrapeId = /scrapeId (\S+)/.exec((await scrape('/injection', { formats })).text)?.[1]
    let offset: number | undefined = 0
    let pieces = 0
    for (; offset !== undefined && pieces < 100; pieces++) {
      const { text } = await client.call('scrape_result', { jobId: scrapeId, offset, maxCharacters: 1000 })
      const { blocks, around } = readMarked(text)
      expect(blocks.length).toBeGreaterThan(0)
      expect(around).not.toMatch(ofPage)
      offset = Number(/"offset":(\d+)\}\]$/.exec(around)?.[1] ?? Number.NaN)
      if (Number.isNaN(offset)) offset = undefined
    }
    expect(pieces).toBeGreaterThan(5)
    expect(pieces).toBeLessThan(100)
  })

  it('returns page content only in marked blocks of a resource', async () => {
    const scrapeId = /scrapeId (\S+)/.exec((await scrape('/injection', { formats })).text)?.[1]
    const { contents } = await client.sdk.readResource({ uri: `gossamer://scrape/${scrapeId}` })
    const text = contents.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    const { blocks, around } = readMarked(text)
    expect(blocks).toHaveLength(formats.length)
    expect(around).not.toMatch(ofPage)
    expect(JSON.stringify(invisible.exec(text))).toBe('null')
  })

  it.each(['/injection/plain', '/injection/data'])('is sanitised even if it is not HTML: %s', async (path) => {
    const { text } = await scrape(path)
    const { blocks, around } = readMarked(text)
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
    expect(answer.text).toMatch(code)
    expect(JSON.stringify(answer)).not.toMatch(/FAULT_TEXT|Ignore all/i)
  })
})
