import { describe, expect, test } from 'vitest'
import { ParseInput } from '../../src/schema/scrape/file-upload.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { parseFile } from '../../src/engine/scrape/parse-file.ts'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { failureOf, fakeCtx, fakeWorld, type World } from '../helpers/fakes.ts'
import { scrapeIn, url } from '../helpers/scrape.ts'
import { harmless, planted } from './planted.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const entities = (text: string) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join('')
const halves = (text: string) => `${text.slice(0, 5)}<b>${text.slice(5, 8)}</b>${text.slice(8)}`

/** Places of a page that may contain a text. */
const places: readonly ((text: string) => string)[] = [
  (text) => `<p>Here it is: ${text}, as asked.</p>`,
  (text) => `<p>Contact<br>${text}</p><p>(${text})</p>`,
  (text) => `<table><tr><th>Which</th><th>What</th></tr><tr><td>1</td><td>${text}</td></tr></table>`,
  (text) => `<p><a href="https://example.com/?q=${encodeURIComponent(text)}" title="${escaped(text)}">${text}</a></p>`,
  (text) => `<pre><code>const it = "${text}"</code></pre>`,
  (text) => `<p><a href="https://example.com/?q=${encodeURIComponent(text).replaceAll('%20', '+')}">more</a></p>`,
  (text) => `<p>Write to:${text}.Then https://example.com/?q=${encodeURIComponent(text)}</p>`,
  (text) => `<p>Parted ${text.slice(0, 4)}&#8203;${text.slice(4, 6)}&shy;${text.slice(6)} so</p>`,
  (text) => `<p>Split ${halves(text)} up</p>`,
  (text) => `<p>Written ${entities(text)} so</p>`,
  (text) => `<p><img src="/a.png" alt="${escaped(text)}"><input value="${escaped(text)}"></p><!-- ${text} -->`,
  (text) => `<script type="application/ld+json">${JSON.stringify({ '@type': 'Person', description: text })}</script>`,
]

const formats = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'summary',
  { type: 'json', schema: { type: 'object', properties: { description: { type: 'string' } } } },
  { type: 'attributes', selectors: [{ selector: 'a', attribute: 'title' }] },
]

function worldOf(html: string): World {
  const world = fakeWorld({ body: html })
  world.ports.readHtml = async (request) => readHtml(request)
  return world
}
const pageOf = (language: string, text: string, body: string) =>
  `<!doctype html><html lang="${language}"><head><title>All of it</title><meta name="description" content="${escaped(text)}"></head><body><main><h1>A page</h1>${body}<p>${'Words that say nothing of anybody. '.repeat(20)}</p></main></body></html>`
const run = (world: World, options: object = {}) =>
  scrapeIn(world, { redactPII: true, formats, onlyMainContent: false, ...options })

/** The number or name without separators between its parts. */
const bare = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/^\D+: |[\s().\-/]/g, '')
    .toLowerCase()

describe('redactPII', () => {
  test('keeps an IP address that is the host of the page, and replaces it elsewhere', async () => {
    const page = pageOf('en', '', '<p>Answered by 198.51.100.7 and <a href="/b">another</a>.</p>')
    const own = 'http://198.51.100.7/a'
    const document = await run(worldOf(page), { url: own, formats: ['markdown', 'links'] })
    expect(document.metadata.sourceURL).toBe(own)
    expect(document.links).toEqual(['http://198.51.100.7/b'])
    expect(document.markdown).toContain('Answered by <SECRET> and [another](http://198.51.100.7/b)')
  })

  test.each(planted)(
    'removes all personal data of a page in %s from every output and copy',
    async (language, texts) => {
      const missed: string[] = []
      for (const text of texts) {
        const world = worldOf(pageOf(language, text, places.map((place) => place(text)).join('\n')))
        const document = await run(world)
        const all = JSON.stringify([document, world.indexed, [...world.cache]])
        if (
          bare(decoded(all))
            .replaceAll(/<\/?b>|\u200B|&shy;/g, '')
            .includes(bare(text))
        )
          missed.push(text)
      }
      expect(missed).toEqual([])
    },
  )

  test('leaves prices, dates, ISBNs, order numbers and versions unchanged', async () => {
    for (const language of ['de', 'en-US', 'da', 'fr']) {
      const world = worldOf(pageOf(language, '', harmless.map((text) => `<p>It is ${text} here.</p>`).join('')))
      const { markdown = '', rawHtml = '' } = await run(world, { formats: ['markdown', 'rawHtml'] })
      expect({ language, changed: harmless.filter((text) => !rawHtml.includes(` ${text} `)) }).toEqual({
        language,
        changed: [],
      })
      expect(markdown).not.toMatch(/<(?:PHONE|SECRET|FINANCIAL|EMAIL)>/)
    }
  })

  test.each([
    ['tag', 'Write to <EMAIL> now', 'Write to &lt;EMAIL&gt; now'],
    ['mask', 'Write to ******* now', 'Write to ******* now'],
    ['remove', 'Write to  now', 'Write to  now'],
  ])('writes the style %s', async (replaceStyle, text, source) => {
    const world = worldOf('<p>Write to a@b.org now</p>')
    const { markdown, rawHtml } = await run(world, { redactPII: { replaceStyle, entities: ['EMAIL'] } })
    expect(markdown).toBe(text)
    expect(rawHtml).toBe(`<p>${source}</p>`)
  })

  test('replaces only the requested entities', async () => {
    const world = worldOf('<p>a@b.org, +49 30 1234567</p>')
    expect((await run(world, { redactPII: { entities: ['PHONE'] } })).markdown).toBe('a@b.org, <PHONE>')
  })

  test('keeps the page out of the cache and the index, and reads a cached copy redacted', async () => {
    const world = worldOf('<p>Write to a@b.org</p>')
    expect((await run(world)).warning).toContain('GOSSAMER_MODEL')
    expect([world.cache.size, world.indexed.length]).toEqual([0, 0])
    await run(world, { redactPII: false, formats: ['markdown'] })
    const again = await run(world, { formats: ['markdown'] })
    expect(again).toMatchObject({ markdown: 'Write to <EMAIL>', metadata: { cacheState: 'hit' } })
    expect(world.fetched).toHaveLength(2)
  })

  test('replaces names and addresses that a model finds, in every output', async () => {
    const world = worldOf('<title>Jane Roe</title><p>Jane  <i>Roe</i> lives at 1 Elm Street.</p>')
    world.model.answers = ({ schema }) =>
      JSON.stringify(schema ?? {}).includes('places') ? { people: ['Jane Roe'], places: ['1 Elm Street'] } : 'Jane Roe'
    const document = await run(world, { formats: ['markdown', 'rawHtml', 'summary'] })
    expect(document).toMatchObject({ markdown: '<PERSON> lives at <LOCATION>.', summary: '<PERSON>' })
    expect(document.metadata.title).toBe('<PERSON>')
    expect(document.warning).toBeUndefined()
    expect(document.rawHtml).not.toMatch(/Jane|Roe|Elm/)
  })

  test('warns that names need a model, and changes nothing if only names are requested', async () => {
    const world = worldOf('<p>Jane Roe</p>')
    expect(await failureOf(run(world, { redactPII: { entities: ['PERSON'] } }))).toMatchObject({
      code: 'FEATURE_UNAVAILABLE',
      message: expect.stringContaining('language model'),
    })
    expect(world.fetched).toEqual([])
  })

  test('compares with earlier snapshots after redaction', async () => {
    const world = worldOf('<p>Write to a@b.org</p>')
    await run(world, { redactPII: undefined, formats: ['changeTracking', 'markdown'] })
    const { changeTracking } = await run(world, { formats: ['changeTracking', 'markdown'] })
    expect(changeTracking?.changeStatus).toBe('same')
  })

  test.each([
    [{ formats: ['screenshot'] }, 'screenshot'],
    [{ actions: [{ type: 'screenshot' }] }, 'screenshot'],
    [{ parsers: [] }, 'PDF'],
    [{ parsers: ['image'] }, 'PDF'],
  ])('is refused with %j, which cannot be redacted', (options, word) => {
    const { error } = ScrapeInput.safeParse({ url, redactPII: {}, ...options })
    expect(error?.issues[0]?.message).toContain(word)
  })

  test('applies to uploaded files, both to converted and to raw text', async () => {
    const world = fakeWorld()
    world.state.parts = () => ({ markdown: 'Write to john\\_doe@example.com', metadata: { author: 'a@b.org' } })
    const file = { filename: 'a.csv', base64: Buffer.from('who\na@b.org\n').toString('base64') }
    const input = ParseInput.parse({ file, formats: ['markdown', 'rawHtml'], redactPII: true })
    const document = await parseFile(world.ports, input, fakeCtx())
    expect(document).toMatchObject({
      markdown: 'Write to <EMAIL>',
      rawHtml: 'who\n<EMAIL>\n',
      metadata: { author: '<EMAIL>' },
    })
  })
})

/** The same text without entities and percent signs, so that nothing hides in its spelling. */
function decoded(text: string): string {
  const plain = text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
  return plain.replaceAll(/%[0-9A-F]{2}(?:%[0-9A-F]{2})*/gi, (coded) => {
    try {
      return decodeURIComponent(coded)
    } catch {
      return coded
    }
  })
}
