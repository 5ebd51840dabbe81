import type { Browser } from 'playwright-core'
import { createRenderer } from '../../src/engine/browser/pool/browser-renderer.ts'
import { createLog } from '../../src/kernel/log.ts'
import { median } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import { kindMarker, kinds } from './kinds.ts'
import { requestOf, usualEgress } from './ours.ts'

type Way = { name: string; take(url: string): Promise<string> }
/** Number of visits that found the content, and their duration, ms. */
export type RestRow = { kind: string; way: string; found: number; tookMs: readonly number[] }

const timeout = 8000

/**
 * Compares the moment at which our settle() reads a page with Playwright's wait conditions, on pages that get their
 * content in different ways.
 */
export async function measureRest(browserPath: string, origin: string, rounds: number): Promise<RestRow[]> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: browserPath, chromiumSandbox: process.getuid?.() !== 0 })
  const forwardProxies = usualEgress()
  const renderer = createRenderer({
    settings: { browserPath },
    dataDir: '/nonexistent',
    forwardProxies,
    chooseProxy: () => undefined,
    profiles: { open: () => Promise.reject(new Error('no page here has a profile')) },
    fetchPage: () => Promise.reject(new Error('no page of this site is a file')),
    log: createLog('error', (line) => process.stderr.write(line)),
  })
  const ways: Way[] = [
    { name: 'settle', take: async (url) => Buffer.from((await renderer.renderPage(requestOf(url))).body).toString() },
    ...(['networkidle', 'load', 'domcontentloaded'] as const).map((waitUntil) => ({
      name: waitUntil,
      take: (url: string) => withPlaywright(browser, url, waitUntil),
    })),
  ]
  try {
    return await inTurns(ways, origin, rounds)
  } finally {
    await browser.close()
    await renderer.close()
    await forwardProxies.close()
  }
}

async function withPlaywright(
  browser: Browser,
  url: string,
  waitUntil: 'networkidle' | 'load' | 'domcontentloaded',
): Promise<string> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil, timeout }).catch(() => undefined)
    return await page.content()
  } finally {
    await context.close()
  }
}

async function inTurns(ways: readonly Way[], origin: string, rounds: number): Promise<RestRow[]> {
  const rows = Object.keys(kinds).flatMap((kind) =>
    ways.map((way) => ({ way, row: { kind, way: way.name, found: 0, tookMs: [] as number[] } })),
  )
  for (const { take } of ways) await take(`${origin}/kind/static`)
  for (let round = 0; round < rounds; round++)
    for (const { way, row } of rows) {
      const startedAt = performance.now()
      const html = await way.take(`${origin}/kind/${encodeURIComponent(row.kind)}`)
      row.tookMs.push(performance.now() - startedAt)
      if (html.includes(kindMarker)) row.found++
    }
  return rows.map(({ row }) => row)
}

export function restTable(rows: readonly RestRow[]): string {
  const ways = [...new Set(rows.map(({ way }) => way))]
  const cell = (kind: string, way: string) => {
    const row = rows.find((each) => each.kind === kind && each.way === way)
    if (!row) return ''
    return `${median(row.tookMs).toFixed(0)}${row.found === row.tookMs.length ? '' : ` (${row.found} of ${row.tookMs.length})`}`
  }
  return table(
    ['ms a visit', ...ways],
    Object.keys(kinds).map((kind) => [kind, ...ways.map((way) => cell(kind, way))]),
  )
}
