import { randomUUID } from 'node:crypto'
import { readConfig } from '../../src/app/read-config.ts'
import { noTelemetry } from '../../src/app/telemetry/telemetry.ts'
import { wire } from '../../src/app/wiring/wire-engine.ts'
import type { Ports } from '../../src/contracts/ports.ts'
import { scrapeRequest } from '../../src/engine/scrape/scrape-request.ts'
import { scrape } from '../../src/engine/scrape/scrape.ts'
import { createLog } from '../../src/kernel/log.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import { autoPages } from './auto-site.ts'

export type AutoRow = {
  kind: 'static' | 'shell'
  pages: number
  rendered: number
  failed: number
  cpuMs: number
  wrong: readonly string[]
}

/** Scrapes all pages of the auto mode test with the real network, reader and browser. */
export async function measureAuto(browserPath: string, origin: string): Promise<AutoRow[]> {
  const config = readConfig(
    { 'browser-path': browserPath },
    { GOSSAMER_DATA_DIR: 'memory', GOSSAMER_ALLOW_HOSTS: '127.0.0.1' },
  )
  const log = createLog('error', (line) => process.stderr.write(line))
  const { ports, close } = wire(config, {
    clock: { now: Date.now },
    log,
    telemetry: noTelemetry,
    callers: 'own user',
    hasOthers: async () => false,
    ownBaseUrl: async () => origin,
    worked: () => {},
  })
  try {
    return [await rowOf(ports, 'static', origin), await rowOf(ports, 'shell', origin)]
  } finally {
    await close()
  }
}

async function rowOf(ports: Ports, kind: AutoRow['kind'], origin: string): Promise<AutoRow> {
  const wrong: string[] = []
  let [rendered, failed] = [0, 0]
  const startedAt = process.cpuUsage()
  for (const { name, path } of autoPages[kind]) {
    let visits = 0
    const counted: Ports = {
      ...ports,
      // Otherwise facts about a host learnt from one page would affect the next.
      hosts: { needsBrowser: async () => false, addsNothing: async () => false, note: async () => {} },
      renderPage: (request) => {
        visits++
        return ports.renderPage(request)
      },
    }
    const isDone = await scrape(counted, scrapeRequest(inputOf(origin + path), callNow())).then(Boolean, () => false)
    if (visits > 0) rendered++
    if (!isDone) failed++
    if (visits > 0 !== (kind === 'shell') || !isDone) wrong.push(name)
  }
  const { user, system } = process.cpuUsage(startedAt)
  return { kind, pages: autoPages[kind].length, rendered, failed, cpuMs: (user + system) / 1000, wrong }
}

const inputOf = (url: string) => ScrapeInput.parse({ url, formats: ['markdown'], maxAge: 0, proxy: 'basic' })

const callNow = () => ({
  team: { id: 'bench', key: null, permissions: [] },
  jobId: randomUUID(),
  startedAt: Date.now(),
  signal: new AbortController().signal,
  queuedMs: 0,
  progress: () => {},
})

export function autoTable(rows: readonly AutoRow[]): string {
  return table(
    ['pages', 'count', 'with a browser', 'failed', 'Node CPU ms each'],
    rows.map(({ kind, pages, rendered, failed, cpuMs }) => [
      kind === 'static' ? 'ordinary' : 'shells',
      String(pages),
      String(rendered),
      String(failed),
      (cpuMs / pages).toFixed(1),
    ]),
  )
}

export const autoTargets = (rows: readonly AutoRow[]): Target[] =>
  rows.map(({ kind, wrong }) => ({
    what: `auto mode, wrong decisions on ${kind} pages`,
    limit: 0,
    measured: wrong.length,
    unit: '',
  }))
