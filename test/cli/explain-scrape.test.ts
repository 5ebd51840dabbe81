import { describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import type { CommandContext } from '../../src/cli/command.ts'
import { scrapeCommand } from '../../src/cli/commands/scrape-command.ts'
import type { Explanation } from '../../src/engine/support/explain/explain-scrape.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { answer, html } from '../helpers/site/route.ts'
import { runCommand, silentLog } from './kit.ts'

const text = `<h1>Mugs</h1><p>${'What is known of mugs was written down by people who made them. '.repeat(6)}</p>`
const whole = html(`<!doctype html><title>Mugs</title><main>${text}</main>`)
const shell = html(
  `<!doctype html><title>Mugs</title><div id="root"></div><script>document.getElementById('root').innerHTML = ${JSON.stringify(text)}</script>`,
)

const settings = { 'data-dir': 'memory', 'allow-hosts': '127.0.0.1' }
const config = readConfig(settings, {})

const site = siteForAll({
  routes: {
    '/whole': whole,
    '/shell': shell,
    '/moved': answer(302, { location: '/whole' }, ''),
    '/silent': () => new Promise(() => {}),
  },
})
const app = forAll(() => createApp(config, silentLog))

type More = Pick<CommandContext['flags'], 'explain' | 'json' | 'formats'> & { isInteractive?: boolean; app?: App }

async function run(
  path: string,
  options: object = {},
  { isInteractive = false, app: other = app, ...flags }: More = {},
) {
  const words = [site.url(path), JSON.stringify(options)]
  return runCommand(scrapeCommand, words, { flags: { explain: true, ...flags }, config, app: other, isInteractive })
}
const explained = async (...args: Parameters<typeof run>): Promise<Explanation> =>
  (JSON.parse((await run(...args)).err) as { explanation: Explanation }).explanation

describe('gossamer scrape --explain', () => {
  test('shows each request, its redirect, and that the next scrape is answered from the cache', async () => {
    const first = await explained('/moved')
    expect(first.steps.map(({ step }) => step)).toEqual(['plan', 'cache', 'visit', 'read', 'page', 'formats'])
    expect(first.steps[1]).toMatchObject({ found: 'nothing', accepted: { minMs: 0, maxMs: 172_800_000 } })
    expect(first.steps[2]).toMatchObject({ by: 'HTTP', proxy: 'basic', status: 200, url: site.url('/whole') })
    expect(first.steps[4]).toMatchObject({ from: 'HTTP', isKept: true })
    expect(first.answer).toMatchObject({ statusCode: 200, cacheState: 'miss', creditsUsed: 1 })

    const second = await explained('/moved', { maxAge: 60_000 })
    expect(second.steps.map(({ step }) => step)).toEqual(['plan', 'cache', 'page', 'formats'])
    expect(second.steps[1]).toMatchObject({ found: 'hit', accepted: { maxMs: 60_000 }, ageMs: expect.any(Number) })
    expect(second.answer).toMatchObject({ cacheState: 'hit' })
  })

  test.each([
    ['maxAge 0', { maxAge: 0 }, 'not wanted'],
    ['headers of the caller', { headers: { cookie: 'a=b' } }, 'personal'],
    ['change tracking', { formats: ['markdown', 'changeTracking'] }, 'change tracking'],
  ])('shows why the cache was not used: %s', async (_, options, why) => {
    expect((await explained('/whole', options)).steps[1]).toMatchObject({ step: 'cache', found: 'not asked', why })
  })

  test('shows that an empty shell needed a browser, and that the host is remembered', async () => {
    const first = await explained('/shell', { maxAge: 0 })
    expect(first.steps.filter(({ step }) => step === 'visit')).toMatchObject([
      { by: 'HTTP' },
      { by: 'browser', why: 'shell' },
    ])
    expect(first.steps).toContainEqual(expect.objectContaining({ step: 'read', isShell: true }))
    expect(first.steps).toContainEqual(expect.objectContaining({ step: 'page', from: 'browser' }))
    // After three empty pages in a row.
    for (const _ of [2, 3]) await run('/shell', { maxAge: 0 })
    const second = await explained('/shell', { maxAge: 0 })
    expect(second.steps.filter(({ step }) => step === 'visit')).toMatchObject([{ by: 'browser', why: 'host' }])
  })

  test('shows that the browser is missing', async () => {
    const alone = createApp(readConfig({ ...settings, 'browser-path': '/nowhere/chrome' }, {}), silentLog)
    try {
      const { err } = await run('/shell', { maxAge: 0 }, { isInteractive: true, app: alone })
      expect(err).toMatch(/Browser +[\d,]+ ms {2}failed: BROWSER_UNAVAILABLE\n +because the HTML is an empty shell/)
      expect(err).toMatch(/Page +[\d,]+ ms {2}by plain HTTP; not stored in the cache/)
    } finally {
      await alone.close()
    }
  })

  test('shows the steps of a scrape that timed out', async () => {
    const { steps, error } = await explained('/silent', { timeout: 1000, headers: { 'x-a': 'b' } }, { json: true })
    expect(steps.map(({ step }) => step).slice(0, 2)).toEqual(['plan', 'cache'])
    expect(error?.code).toBe('SCRAPE_TIMEOUT')
  })

  test('prints text on a terminal, which pages cannot control', async () => {
    const { out, err } = await run(
      '/whole',
      { excludeTags: ['[title="\u001b[2J"]'], maxAge: 0 },
      { isInteractive: true },
    )
    expect(out).toContain('What is known of mugs')
    expect(err).toContain(`How ${site.url('/whole')} was read:\n`)
    expect(err).toContain('what matches [title="\uFFFD[2J"] (excludeTags)')
    expect(err).toMatch(/Cache +\d+ ms {2}not used: maxAge is 0/)
    expect(err).toMatch(/Answer +[\d,]+ ms {2}status 200, 1 credit/)
    expect(err).not.toContain('\u001b')
  })
})
