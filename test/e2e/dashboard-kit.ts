import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { send } from '../helpers/api.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { sharedChromium } from '../helpers/shared-chromium.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { startSite } from '../helpers/site.ts'
import { answer, html, type Routes } from '../helpers/site/route.ts'

const text =
  'Silk threads carry the young spider over the fields, and each of them holds more than its weight. '.repeat(6)
const noteOf = (at: number) => `<title>Note ${at}</title><main><h1>Note ${at}</h1><p>${text}</p></main>`

/** A start page with links to a number of notes; the response of every fiftieth note is cut off. */
function notes(count: number): Routes {
  const links = Array.from({ length: count }, (_, at) => `<a href="/notes/${at}">Note ${at}</a>`).join(' ')
  const routes = Array.from({ length: count }, (_, at): [string, Routes[string]] => [
    `/notes/${at}`,
    at % 50 === 7 ? ({ response }) => void response.destroy() : html(noteOf(at)),
  ])
  return {
    '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /notes/3$\n'),
    '/notes': html(`<title>Notes</title><main><h1>Notes</h1><p>${text}</p>${links}</main>`),
    ...Object.fromEntries(routes),
  }
}

const usual = { GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_UNSANDBOXED_CODE: 'always' }

async function ownServer(env: Record<string, string>) {
  const folder = tempDir()
  const { url, stop } = await startServer({ GOSSAMER_DATA_DIR: folder.path, ...usual, ...env })
  return { url, stop: () => stop().then(folder.remove) }
}

type Setting = { env?: Record<string, string>; pages?: number; routes?: Routes }
/** Opens a dashboard in a browser, with a site to read; with settings, on a separate server. */
export async function openDashboard({ env, pages = 0, routes = {} }: Setting = {}) {
  const site = await startSite({ routes: { ...notes(pages), ...routes } })
  const own = env && (await ownServer(env))
  const server = own ?? (await sharedServer(usual))
  const browser = await sharedChromium()
  const visited: Page[] = []
  return {
    site,
    url: server.url,
    /** Calls the API. */
    async call(method: string, route: string, body?: object, key = '') {
      const response = await send(server.url + route, { method, key, ...(body && { body }) })
      return (await response.json()) as Record<string, unknown> & { id: string; data: { id: string } }
    },
    /** Closes everything that earlier tests left open or watched. */
    async clear(kind: 'browser' | 'monitor') {
      const { sessions = [], data = [] } = (await this.call('GET', `/v2/${kind}`)) as unknown as {
        sessions?: { id: string; status: string }[]
        data?: { id: string }[]
      }
      const left = kind === 'monitor' ? data : sessions.filter(({ status }) => status === 'active')
      await Promise.all(left.map(({ id }) => this.call('DELETE', `/v2/${kind}/${id}`)))
    },
    async visit(options: PageOptions = {}, prepare: (page: Page) => void = () => {}) {
      const opened = await visit(browser, server.url, { options, prepare })
      visited.push(opened.page)
      return opened
    },
    async close() {
      await Promise.all(visited.map((page) => page.context().close()))
      await own?.stop()
      await site.close()
    },
  }
}

type PageOptions = Parameters<Browser['newContext']>[0]
type Visit = { options: PageOptions; prepare(page: Page): void }

/** A page that records script errors and violations of the content security policy. */
async function visit(browser: Browser, url: string, { options, prepare }: Visit) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  // The time limit of the test applies.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  prepare(page)
  const complaints: string[] = []
  page.on('pageerror', (fault) => complaints.push(fault.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(url)
  return { page, complaints }
}

/** Returns the serious findings of axe-core in the current page. */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated through the DevTools protocol, because the policy of the page forbids eval.
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    return (await run(document)).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html: at }) => at.slice(0, 200)).join(' | ')}`)
}
