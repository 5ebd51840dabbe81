import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserHere } from '../browser/programs/machine.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { startSite } from '../helpers/site.ts'
import { answer, html, type Routes } from '../helpers/site/route.ts'

const text =
  'Silk threads carry the young spider over the fields, and each of them holds more than its weight. '.repeat(6)
const noteOf = (at: number) => `<title>Note ${at}</title><main><h1>Note ${at}</h1><p>${text}</p></main>`

/** A start page with links to so many notes, every fiftieth of which ends in the middle of its answer. */
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

type Setting = { env?: Record<string, string>; pages?: number; routes?: Routes }
/** A server with its dashboard, a site to read, and a browser in front of it. */
export async function openDashboard({ env = {}, pages = 0, routes = {} }: Setting = {}) {
  const site = await startSite({ routes: { ...notes(pages), ...routes } })
  const folder = tempDir()
  const server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_UNSANDBOXED_CODE: 'always',
    ...env,
  })
  const { path, env: needed } = await browserHere()
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox'],
    env: { ...process.env, ...needed } as Record<string, string>,
  })
  return {
    site,
    url: server.url,
    browser,
    /** A call as programs make it. */
    async call(method: string, route: string, body?: object, key?: string) {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const headers = { 'content-type': 'application/json', ...authorization }
      const response = await fetch(server.url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return (await response.json()) as Record<string, unknown> & { id: string; data: { id: string } }
    },
    visit: (options: PageOptions = {}, prepare: (page: Page) => void = () => {}) =>
      visit(browser, server.url, { options, prepare }),
    async close() {
      await browser.close()
      await server.stop()
      await site.close()
      folder.remove()
    },
  }
}
export type Stand = Awaited<ReturnType<typeof openDashboard>>

type PageOptions = Parameters<Browser['newContext']>[0]
type Visit = { options: PageOptions; prepare(page: Page): void }

/** A page in which everything is noted that a browser complains about: faults of scripts and broken policies. */
async function visit(browser: Browser, url: string, { options, prepare }: Visit) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
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

/** What axe-core finds serious, in a page as it is now. */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated through the debugging protocol, which the policy of the page does not bind.
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    return (await run(document)).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html: at }) => at.slice(0, 200)).join(' | ')}`)
}
