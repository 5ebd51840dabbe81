/**
 * `npm run pictures`, after a build: takes the screenshots in docs/pictures, with a server and a web site on loopback,
 * in a local browser. Needs `script` of util-linux.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'
import { startSampleSite } from './pictures/sample-site.ts'
import { shownBy, terminalPage } from './pictures/terminal.ts'

const root = dirname(import.meta.dirname)
const pictures = join(root, 'docs/pictures')
const bin = join(root, 'bin/gossamer.cjs')
const view = { width: 1100, height: 700 }

/** Encodes WebP in a browser, as no library here supports it. */
async function save(name: string, page: Page, taken: Buffer): Promise<void> {
  const url = await page.evaluate(async (png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8)
  }, taken.toString('base64'))
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  writeFileSync(join(pictures, `${name}.webp`), bytes)
  console.log(`docs/pictures/${name}.webp: ${bytes.length} bytes`)
}

async function startServer(env: NodeJS.ProcessEnv) {
  const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface(server.stderr)) {
    const [, url] = /listens on (http:\S+)/.exec(line) ?? []
    if (url !== undefined) return { url, stop: () => void server.kill() }
  }
  throw new Error('The server did not start.')
}

type Answer = Record<string, unknown> & { id?: string }

const callerOf =
  (url: string) =>
  async (route: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Answer
  }
type Call = ReturnType<typeof callerOf>

async function takeDashboard(browser: Browser, blank: Page, url: string): Promise<void> {
  for (const [name, colorScheme] of [
    ['dashboard', 'light'],
    ['dashboard-dark', 'dark'],
  ] as const) {
    const page = await browser.newPage({ viewport: view, colorScheme })
    await page.goto(url)
    await page.getByText('light.invalid').first().waitFor()
    await page.waitForTimeout(1000)
    await save(name, blank, await page.screenshot())
    await page.close()
  }
}

async function takeLiveView(browser: Browser, blank: Page, call: Call, site: string): Promise<void> {
  const created = await call('/v2/browser', { url: site, ttl: 120 })
  const id = String(created.id)
  const page = await browser.newPage({ viewport: view })
  await page.goto(String(created['interactiveLiveViewUrl']))
  await page.waitForTimeout(2000)
  const acting = call(`/v2/browser/${id}/act`, {
    acts: [
      { type: 'fill', target: 'Find a light', value: 'Ember Isle' },
      { type: 'wait', milliseconds: 3000 },
    ],
  })
  await page.waitForTimeout(1500)
  await save('live-view', blank, await page.screenshot())
  await acting
  await fetch(new URL(`/v2/browser/${id}`, String(created['interactiveLiveViewUrl'])), { method: 'DELETE' })
  await page.close()
}

async function takeTerminal(browser: Browser, blank: Page, site: string, env: NodeJS.ProcessEnv, folder: string) {
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  symlinkSync(bin, join(programs, 'gossamer'))
  const commands = [
    `gossamer crawl ${site} --out lights`,
    'ls lights/*/lights',
    'head -n 9 lights/*/lights/amber-point.md',
  ]
  const text = await shownBy(commands, folder, { ...env, PATH: `${programs}:${env['PATH'] ?? ''}` })
  const page = await browser.newPage({ viewport: { width: 900, height: 300 } })
  // The path of the temporary folder is irrelevant to readers.
  await page.setContent(terminalPage(text.replaceAll(folder, '~')))
  await save('terminal', blank, await page.screenshot({ fullPage: true }))
  await page.close()
}

const site = await startSampleSite()
const folder = mkdtempSync(join(tmpdir(), 'gossamer-pictures-'))
const env = { ...process.env, GOSSAMER_DATA_DIR: join(folder, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
const server = await startServer(env)
const found = await findBrowser('shell', {}, machineProbes(folder))
if (found.from === 'remote') throw new Error('No browser was found on this machine.')
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox'],
  env: { ...process.env, ...found.env } as Record<string, string>,
})
try {
  mkdirSync(pictures, { recursive: true })
  const call = callerOf(server.url)
  const blank = await browser.newPage()
  await call('/v2/crawl', { url: site.url, limit: 8, wait: 60 })
  await call('/v2/batch/scrape', {
    urls: [`${site.url}/lights/amber-point`, `${site.url}/lights/cold-sound`],
    wait: 60,
  })
  await call('/v2/scrape', { url: `${site.url}/lights/ember-isle`, formats: ['markdown', 'links'] })
  await call('/v2/scrape', { url: 'http://light.invalid/' })
  await call('/v2/map', { url: site.url })
  await takeDashboard(browser, blank, server.url)
  await takeLiveView(browser, blank, call, site.url)
  await takeTerminal(browser, blank, site.url, env, folder)
} finally {
  await browser.close()
  server.stop()
  site.close()
  rmSync(folder, { recursive: true, force: true })
}
