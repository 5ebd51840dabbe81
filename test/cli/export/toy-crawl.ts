import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { App } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/app/read-config.ts'
import type { CommandContext } from '../../../src/cli/command.ts'
import { crawl } from '../../../src/cli/commands/crawl-command.ts'
import type { ExchangeListener } from '../../../src/contracts/fetch.ts'
import { fail } from '../../../src/kernel/error.ts'
import { defineOperation } from '../../../src/kernel/operation.ts'
import { compose } from '../../../src/middleware/pipeline.ts'
import { fakeTerminal } from '../kit.ts'

export const id = '01890000-0000-7000-8000-000000000001'
export const start = 'http://a.test/'

const urlOf = (page: number) => (page === 0 ? start : `${start}page-${page}`)
const documentOf = (page: number) => ({
  markdown: `# Page ${page}`,
  metadata: {
    title: `Page ${page}`,
    url: urlOf(page),
    sourceURL: urlOf(page),
    scrapeId: `scrape-${page}`,
    statusCode: 200,
    cacheState: 'miss',
    creditsUsed: 1,
    concurrencyLimited: false,
  },
})

const anything = z.looseObject({})
const facts = { title: 't', about: 'a', example: {}, errors: [], input: anything, output: anything } as const

/** A crawl of `total` pages: each poll completes one, and so does closing the app. */
export function toyCrawl(total: number, { done = 0, pageSize = 100 } = {}) {
  const calls: { name: string; input: Record<string, unknown> }[] = []
  const listeners = new Set<ExchangeListener>()
  const toy = { done, status: 'scraping', warning: undefined as string | undefined, onPoll: (_poll: number) => {} }
  let polls = 0
  const visit = async () => {
    if (toy.done >= total || toy.status !== 'scraping') return
    const url = urlOf(toy.done)
    const exchange = {
      at: 0,
      request: { url, method: 'GET', headers: {} },
      response: { url, status: 200, headers: {}, body: Buffer.from(`body of ${url}`) },
    }
    await Promise.all([...listeners].map((listener) => listener(exchange)))
    toy.done += 1
    if (toy.done === total) toy.status = 'completed'
  }
  const record = (name: string, input: Record<string, unknown>) => void calls.push({ name, input })
  const operations = [
    defineOperation({
      ...facts,
      name: 'crawl',
      route: 'POST /v2/crawl',
      effect: 'create',
      run: async (input) => {
        record('crawl', input)
        if (input['limit'] === 13) fail('BAD_REQUEST')
        return { id, url: '' }
      },
    }),
    defineOperation({
      ...facts,
      name: 'crawl_status',
      route: 'GET /v2/crawl',
      effect: 'read',
      run: async (input) => {
        record('crawl_status', input)
        if (input['id'] !== id) fail('JOB_NOT_FOUND')
        toy.onPoll((polls += 1))
        await visit()
        const skip = Number(input['skip'])
        const data = Array.from({ length: toy.done }, (_, page) => documentOf(page)).slice(skip, skip + pageSize)
        const { status, warning } = toy
        return { status, warning, completed: toy.done, total, creditsUsed: toy.done, expiresAt: '', data }
      },
    }),
    defineOperation({
      ...facts,
      name: 'crawl_errors',
      route: 'GET /v2/crawl/errors',
      effect: 'read',
      run: async (input) => {
        record('crawl_errors', input)
        const errors = [{ id: 'e', timestamp: '', url: `${start}broken`, code: 'SCRAPE_TIMEOUT', error: 'late' }]
        return { errors, robotsBlocked: [`${start}private`], skipped: { outOfScope: 3, duplicate: 7, robots: 1 } }
      },
    }),
  ]
  const watchExchanges: App['watchExchanges'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const app = { operations, invoke: compose([]), newCtx: (init: object) => init, watchExchanges, close: visit }
  return { calls, listeners, toy, app: app as unknown as App }
}
export type Toy = ReturnType<typeof toyCrawl>

type More = {
  flags?: Partial<CommandContext['flags']>
  isInteractive?: boolean
  signal?: AbortSignal
  settings?: Record<string, string>
}

/** Runs the command with a clock that moves only when it waits. */
export async function runCrawl(
  { app }: Pick<Toy, 'app'>,
  words: string[],
  { flags, isInteractive = false, signal, settings }: More = {},
) {
  const { terminal, written } = fakeTerminal({ isInteractive })
  let now = 0
  const code = await crawl(
    {
      words,
      flags: { json: false, ...flags },
      settings: {},
      config: readConfig({ 'data-dir': 'memory', ...settings }, {}),
      app,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      terminal,
      signal: signal ?? new AbortController().signal,
    },
    {
      screen: { write: terminal.err, isTerminal: isInteractive, columns: () => 80, now: () => now },
      pause: async (ms) => void (now += ms),
      drained: async () => {},
    },
  )
  return { code, stdout: written.out, stderr: written.err }
}

/** Runs the command, and presses Ctrl-C at a poll. */
export async function stoppedAt(poll: number, toy: Toy, flags: Partial<CommandContext['flags']>) {
  const ending = new AbortController()
  toy.toy.onPoll = (each) => void (each === poll && ending.abort())
  const ended = await runCrawl(toy, [start], { flags, signal: ending.signal })
  toy.toy.onPoll = () => {}
  return ended
}

type Line = { file: string; markdown: string; metadata: { url: string } }

/** Returns the lines of `pages.jsonl` in a folder. */
export const linesIn = (out: string) =>
  readFileSync(join(out, 'pages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
export const urlsIn = (out: string) => linesIn(out).map(({ metadata }) => metadata.url)
export const noteIn = (out: string) =>
  JSON.parse(readFileSync(join(out, 'crawl.json'), 'utf8')) as Record<string, unknown>
export const allPages = (total: number) => Array.from({ length: total }, (_, page) => urlOf(page))
