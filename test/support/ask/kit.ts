import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, localTeam } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/app/read-config.ts'
import type { Ctx } from '../../../src/kernel/ctx.ts'
import { toAppError } from '../../../src/kernel/error.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { operations } from '../../../src/operations/index.ts'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'
import { answer, html, numberIn, type Routes } from '../../helpers/site/route.ts'
import { forTest, siteForAll } from '../../helpers/for-all.ts'
import type { Site, SiteOptions } from '../../helpers/site.ts'

const text = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
const article = (more = '') =>
  html(`<!doctype html><title>A page</title><main><h1>A page</h1><p>${text}</p>${more}</main>`)

/** A site with the troubles that people ask support about. */
const routes: Routes = {
  '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed'),
  '/sitemap.xml': answer(404, {}),
  '/slow-page': async (exchange) => {
    await sleep(1_500)
    await article()(exchange)
  },
  '/late': html(
    `<!doctype html><title>App</title><div id="root"></div><script>setTimeout(() => { document.getElementById('root').innerHTML = '<main><h1>App</h1><p>${text}</p></main>' }, 3000)</script>`,
  ),
  // A challenge is waited for, but not an impassable wall.
  '/wall': answer(403, { 'content-type': 'text/html' }, '<title>Access Denied</title>Reference #18.5f4d'),
  '/members': answer(302, { location: '/login?next=/members' }),
  '/login': html(
    `<!doctype html><title>Log in</title><main><h1>Log in</h1><p>${text}</p><form><input name="user"><input type="password" name="password"></form></main>`,
  ),
  '/closed/start': article(),
  '/shop/': article('<a href="/blog/one">One</a> <a href="/blog/two">Two</a> <a href="/blog/three">Three</a>'),
  '/blog/*': article(),
  '/fine': article(),
  '/english': html(
    `<!doctype html><html lang="en-GB"><title>A page</title><main><h1>A page</h1><p>${text}</p></main></html>`,
  ),
  '/archive': answer(200, { 'content-type': 'application/zip' }, 'PK\u0003\u0004 and so on'),
  '/chain/*': async (exchange) => {
    const next = numberIn(exchange.url) + 1
    await article(`<a href="/chain/${next}">On</a>`)(exchange)
  },
  '/with-footer': html(
    `<!doctype html><title>A page</title><main><h1>A page</h1><p>${text}</p></main><footer><nav><a href="/fine">Imprint</a> <a href="/late">Privacy</a></nav></footer>`,
  ),
  '/hook': answer(500, {}, 'No.'),
}

/** The sites of this file; each trial visits one of them. */
const sites: Site[] = []

/** A site with these troubles for all tests of the file. */
export function brokenSite(options: SiteOptions = { routes }): Site {
  const site = siteForAll(options)
  sites.push(site)
  return site
}

const visits = () => sites.reduce((sum, { requests }) => sum + requests.length, 0)

type Input = Record<string, unknown>

/** The whole service in this process, as a team's caller sees it. */
export function service(env: Record<string, string> = {}) {
  const app = forTest(
    createApp(
      readConfig({}, { GOSSAMER_DATA_DIR: 'memory', GOSSAMER_ALLOW_HOSTS: '127.0.0.1,localhost', ...env }),
      createLog('silent', () => {}),
    ),
  )
  const call = async (name: string, input: Input, over: Partial<Ctx> = {}) => {
    const operation = operations.find((each) => each.name === name)
    if (!operation) throw new Error(`no operation ${name}`)
    const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '', ...over })
    const given = operation.mcp ? (operation.mcp.toInput?.(input) ?? input) : input
    try {
      return { id: ctx.jobId, output: (await app.invoke(operation, given, ctx)) as Record<string, unknown> }
    } catch (thrown) {
      return { id: ctx.jobId, code: toAppError(thrown).code }
    }
  }
  const crawl = async (input: Input) => {
    const { output } = await call('crawl', input)
    const id = String(output?.['id'])
    for (;;) {
      const { output: state } = await call('crawl_status', { id })
      if (state?.['status'] !== 'scraping') return { id, state }
      await sleep(50)
    }
  }
  return {
    app,
    call,
    crawl,
    /** Fails if advice is reported to work although no page was visited. */
    ask: async (question: string, more: Input = {}) => {
      const before = visits()
      const answered = (await call('support_ask', { question, ...more })).output as SupportAnswer | undefined
      const { evidence, result } = answered?.validation ?? {}
      // Patterns are tried on addresses alone.
      const isOnPages = result === 'success' && !/^(?:Compiled|Matched) /.test(evidence ?? '')
      if (isOnPages && visits() === before) throw new Error(`nothing was run again: ${evidence}`)
      return answered
    },
  }
}
