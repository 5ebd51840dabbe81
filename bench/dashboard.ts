/** Measures the first view of the dashboard in a browser, on loopback. See README.md. */
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { browserHere } from '../test/browser/programs/machine.ts'
import { startServer } from '../test/helpers/program.ts'
import { positive, writeJson } from './lib/flags.ts'
import { median } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

type Sample = { bytes: number; paintMs: number; readyMs: number }

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})
const rounds = positive('--rounds', flags.rounds)

const sizeOf = (body: Buffer) => body.length

/** Visits the dashboard as a new user: nothing is cached. */
async function visit(browser: Browser, url: string): Promise<Sample> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const loaded: Promise<number>[] = []
  // A polling response that the end of the visit cuts off is not counted.
  page.on('response', (response) => loaded.push(response.body().then(sizeOf, () => 0)))
  await page.goto(url)
  const heading = 'Nothing has been read yet'
  await page.getByText(heading).waitFor()
  // The browser's own clock, from the start of the visit.
  const { paintMs, readyMs } = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    readyMs: Math.max(
      ...performance.getEntriesByType('resource').map((each) => (each as PerformanceResourceTiming).responseEnd),
    ),
  }))
  const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0)
  await context.close()
  return { bytes, paintMs, readyMs }
}

const samples = await withWorkDir(async (dir) => {
  const server = await startServer({ GOSSAMER_DATA_DIR: dir })
  const { path, env } = await browserHere('full')
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox'],
    env: { ...process.env, ...env } as Record<string, string>,
  })
  try {
    await visit(browser, server.url)
    const all: Sample[] = []
    for (let round = 0; round < rounds; round++) all.push(await visit(browser, server.url))
    return all
  } finally {
    await browser.close()
    await server.stop()
  }
})

const of = (name: keyof Sample) => median(samples.map(({ [name]: value }) => value))
const targets: Target[] = [
  { what: 'the first view', limit: 100, measured: of('bytes') / 1000, unit: 'kB' },
  { what: 'the first view with its data', limit: 300, measured: of('readyMs'), unit: 'ms' },
]
const headings = ['kB', 'first paint ms', 'last answer ms']
console.log(table(headings, [[(of('bytes') / 1000).toFixed(1), of('paintMs').toFixed(0), of('readyMs').toFixed(0)]]))
console.log(describeTargets(targets))
if (flags.json !== undefined) await writeJson(flags.json, samples)
process.exitCode = exitCode(targets, flags.check)
