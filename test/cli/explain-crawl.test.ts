import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import type { Command, CommandContext } from '../../src/cli/command.ts'
import { crawl } from '../../src/cli/commands/crawl-command.ts'
import type { CrawlExplanation } from '../../src/cli/crawl-report.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { answer, html, type Route } from '../helpers/site/route.ts'
import { runCommand, silentLog } from './kit.ts'

const linked = (...hrefs: string[]) =>
  html(
    `<!doctype html><title>Page</title><main><h1>Page</h1>${hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ')}</main>`,
  )

const robots = `User-agent: gossamer
Disallow: /docs/closed/
Crawl-delay: 0.01

User-agent: *
Disallow: /
Sitemap: http://HOST/map.xml`

const text =
  (body: string): Route =>
  (exchange) =>
    answer(200, { 'content-type': 'text/plain' }, body.replaceAll('HOST', exchange.url.host))(exchange)
const xml =
  (...urls: string[]): Route =>
  (exchange) =>
    answer(
      200,
      { 'content-type': 'application/xml' },
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${exchange.origin}${url}</loc></url>`).join('')}</urlset>`,
    )(exchange)

const settings = { 'data-dir': 'memory', 'allow-hosts': '127.0.0.1', 'user-agent': 'gossamer/1.0' }
const config = readConfig(settings, {})
/** The same machine by another name is another site. */
const elsewhere = () => site.url('/far').replace('127.0.0.1', 'localhost')

const site = siteForAll({
  routes: {
    '/robots.txt': text(robots),
    '/sitemap.xml': answer(404, {}),
    '/sitemap_index.xml': answer(404, {}),
    '/map.xml': xml('/docs/mapped', '/other/mapped'),
    '/docs/': (exchange) =>
      linked(
        'one',
        'one/',
        'closed/secret',
        'old/a',
        'drafts/b',
        '/blog/',
        elsewhere(),
        'picture.png',
        'data',
        'away',
        'a/b/a/b/a/b/a/b',
        'two',
        'three',
        'four',
      )(exchange),
    '/docs/one': linked('deep'),
    '/docs/data': answer(200, { 'content-type': 'text/css' }, 'a{}'),
    '/docs/away': answer(302, { location: '/blog/' }),
    '/docs/*': linked(),
    '/blog/': linked(),
  },
})
const app = forAll(() => createApp(config, silentLog))

type More = Partial<CommandContext['flags']> & { isInteractive?: boolean }

/** Without a bar, and with short pauses. */
const command: Command = (context) =>
  crawl(context, {
    screen: { write: context.terminal.err, isTerminal: false, columns: () => 80, now: Date.now },
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, Math.min(ms, 50))),
    drained: async () => {},
  })

async function run(options: object, { isInteractive = false, ...flags }: More = {}, path = '/docs/') {
  const words = [site.url(path), JSON.stringify({ scrapeOptions: { maxAge: 0 }, ...options })]
  return runCommand(command, words, { flags: { explain: true, ...flags }, config, app, isInteractive })
}
async function explained(...args: Parameters<typeof run>): Promise<CrawlExplanation> {
  const { err } = await run(...args)
  const line = err.split('\n').find((each) => each.startsWith('{"explanation"')) ?? '{}'
  return (JSON.parse(line) as { explanation: CrawlExplanation }).explanation
}
const skipOf = ({ skipped }: CrawlExplanation, path: string) => {
  const found = skipped.find(({ url }) => url === (path.startsWith('/') ? site.url(path) : path))
  return found && { reason: found.reason, ...(found.detail && { detail: found.detail }) }
}

const excludePaths = ['/nothing', '/old/', '/drafts/']

describe('gossamer crawl --explain', () => {
  test('lists each skipped URL with its reason', async () => {
    const explanation = await explained({ excludePaths, maxDiscoveryDepth: 1 })
    expect(
      Object.fromEntries(['/blog/', '/other/mapped', '/docs/away'].map((path) => [path, skipOf(explanation, path)])),
    ).toEqual({
      '/blog/': { reason: 'outOfScope', detail: { outside: 'folder' } },
      '/other/mapped': { reason: 'outOfScope', detail: { outside: 'folder' } },
      '/docs/away': { reason: 'outOfScope', detail: { seen: 'at the visit' } },
    })
    expect(skipOf(explanation, elsewhere())).toEqual({ reason: 'outOfScope', detail: { outside: 'site' } })
    expect(skipOf(explanation, '/docs/old/a')).toEqual({
      reason: 'excluded',
      detail: { pattern: { index: 1, text: '/old/' } },
    })
    expect(skipOf(explanation, '/docs/drafts/b')).toMatchObject({ detail: { pattern: { index: 2, text: '/drafts/' } } })
    expect(skipOf(explanation, '/docs/closed/secret')).toEqual({
      reason: 'robots',
      detail: { rule: { kind: 'disallow', pattern: '/docs/closed/' } },
    })
    expect(skipOf(explanation, '/docs/data')).toEqual({ reason: 'type', detail: { seen: 'at the visit' } })
    expect(skipOf(explanation, '/docs/deep')).toEqual({ reason: 'depth' })
    expect(skipOf(explanation, '/docs/a/b/a/b/a/b/a/b')).toEqual({ reason: 'trap' })
    expect(explanation.skipped.filter(({ reason }) => reason === 'duplicate').map(({ url }) => url)).toEqual([
      expect.stringMatching(/\/docs\/one\/?$/),
    ])
    const taken = ['/docs/', '/docs/two', '/docs/three', '/docs/four', '/docs/mapped']
    expect(taken.map((path) => skipOf(explanation, path))).toEqual(taken.map(() => undefined))
  })

  test('lists URLs over the limit, and those that match no pattern', async () => {
    const explanation = await explained({ sitemap: 'skip', includePaths: ['/docs/$', '/t'] }, { limit: '2' })
    expect(skipOf(explanation, '/docs/four')).toEqual({ reason: 'notIncluded' })
    const over = explanation.skipped.filter(({ reason }) => reason === 'limit').map(({ url }) => url)
    expect([[site.url('/docs/two')], [site.url('/docs/three')]]).toContainEqual(over)
    expect(explanation.limits).toMatchObject({ pages: 2 })
    expect(explanation.options).toContainEqual({ name: 'limit', value: 2, origin: { from: 'flag', flag: '--limit' } })
    expect(explanation.options).toContainEqual({ name: 'sitemap', value: 'skip', origin: { from: 'caller' } })
    expect(explanation.options).toContainEqual({ name: 'crawlEntireDomain', value: false, origin: { from: 'default' } })
    expect(explanation.seeding?.sitemaps.files).toEqual([])
  })

  test('shows the content of robots.txt and the sitemaps, and how patterns are read', async () => {
    const explanation = await explained({ excludePaths: ['/old/', '/x(?=y)'], limit: 1 })
    expect(explanation.seeding?.robots).toMatchObject({
      url: site.url('/robots.txt'),
      isObeyed: true,
      groups: [{ agents: ['gossamer'], rules: [{ kind: 'disallow', pattern: '/docs/closed/' }] }],
      delayMs: 10,
    })
    expect(explanation.seeding?.sitemaps).toMatchObject({ urls: 2 })
    expect(explanation.seeding?.sitemaps.files).toContainEqual({ url: site.url('/map.xml'), urls: 2 })
    expect(explanation.seeding?.sitemaps.files).toContainEqual(
      expect.objectContaining({ url: site.url('/sitemap.xml'), fault: expect.stringContaining('404') }),
    )
    expect(explanation.patterns).toMatchObject([
      { index: 0, by: 'RE2' },
      { index: 1, pattern: '/x(?=y)', by: 'JavaScript' },
    ])
    expect(explanation.pages).toEqual({ formats: ['markdown'], cache: { skipped: 'not wanted' }, browser: 'if needed' })
  })

  test('prints text on a terminal, which sites cannot control', async () => {
    const { err, out } = await run({ excludePaths: ['/old/', '\u001b'] }, { isInteractive: true, limit: '3' })
    expect(out).toContain('# Page')
    expect(err).toContain(`How ${site.url('/docs/')} is crawled:\n`)
    expect(err).toContain('limit 3 (--limit)')
    expect(err).toMatch(/Patterns +excludePaths\[0\] \/old\/ \(anywhere in the path, by RE2\)/)
    expect(err).toMatch(/robots.txt +http:\S+: 1 rule for gossamer\/1\.0, of gossamer\n +Crawl-delay: 0\.01 s/)
    expect(err).toMatch(/1 excluded by excludePaths\[0\] \/old\/\n +http:\S+\/docs\/old\/a\n/)
    expect(err).toMatch(/2 outside the folder of the start/)
    expect(err).not.toContain('\u001b')
  })
})
