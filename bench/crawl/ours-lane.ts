import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { ourServer } from '../lib/contestants.ts'
import { addressOf } from '../lib/serve.ts'
import type { Job, Makes, Take } from './contestant.ts'
import { createGate } from './gate.ts'
import type { Lane } from './lane.ts'

/** Crawl status, with the document fields used here. */
type Status = { status: string; total: number; data: readonly Document[]; next?: string; error?: string }
type Document = { markdown?: string; links?: readonly string[]; metadata: { sourceURL?: string } }

type Mode = { name: string; makes: Makes; onlyMainContent: boolean; again?: boolean }

const modes: Readonly<Record<string, Mode>> = {
  ours: { name: 'gossamer, whole page', makes: 'page', onlyMainContent: false },
  'ours-again': { name: 'gossamer, whole page, unchanged pages', makes: 'page', onlyMainContent: false, again: true },
  'ours-main': { name: 'gossamer, main content and metadata', makes: 'main content', onlyMainContent: true },
}
export const ourIds = Object.keys(modes)

const pollMs = 200
/** A run without new pages for this long has failed. */
const patienceMs = 120_000

/** Starts the built program as a server, starts crawls, and reads all results over REST as they arrive. */
export async function openOurs(id: string, file: string, workDir: string): Promise<Lane> {
  const mode = modes[id]
  if (!mode) throw new Error(`There is no mode ${id}`)
  const dir = join(workDir, id)
  await mkdir(dir, { recursive: true })
  const { env, cwd } = ourServer(file, workDir, { GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_DATA_DIR: dir })
  const child = spawn(process.execPath, [file, 'serve', '--port', '0'], {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('The program did not start')
  const url = await addressOf(child)
  const dispatcher = new Agent({ connections: 1, allowH2: false, bodyTimeout: patienceMs, headersTimeout: patienceMs })
  return {
    contestant: { id, name: mode.name, makes: mode.makes, finds: 'found' },
    pid,
    ...(mode.again && { again: true }),
    async run(job, check) {
      const gate = createGate(mode.makes, job, check)
      const startedAt = performance.now()
      const faults = await crawl({ url, dispatcher, onlyMainContent: mode.onlyMainContent }, job, gate.take)
      const wallMs = performance.now() - startedAt
      const brought = gate.brought()
      return { ...brought, faults: [...faults, ...brought.faults], wallMs }
    },
    async end() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await dispatcher.close()
    },
  }
}

type Road = { url: string; dispatcher: Agent; onlyMainContent: boolean }

/** Crawls once and returns what went wrong. Pages are fetched again in each run, and cached as by default. */
async function crawl({ url, dispatcher, onlyMainContent }: Road, job: Job, take: Take): Promise<string[]> {
  const scrapeOptions = { formats: ['markdown', 'links'], onlyMainContent, maxAge: 0 }
  const { pages: limit, concurrency: maxConcurrency } = job
  const body = { url: `${job.origin}/`, limit, maxConcurrency, sitemap: 'skip', scrapeOptions }
  const started = await ask<{ id: string }>(dispatcher, `${url}/v2/crawl`, body)
  let read = 0
  for (let quietMs = 0; quietMs < patienceMs; quietMs += pollMs) {
    const { status, data, error } = await ask<Status>(dispatcher, `${url}/v2/crawl/${started.id}?skip=${read}`)
    for (const { metadata, markdown = '', links } of data)
      take({ url: metadata.sourceURL ?? '', text: markdown, links })
    read += data.length
    if (data.length > 0) quietMs = 0
    else if (status !== 'scraping') return status === 'completed' ? [] : [`the crawl ${status}: ${error}`]
    else await sleep(pollMs)
  }
  return [`the crawl brought nothing for ${patienceMs} ms`]
}

async function ask<T>(dispatcher: Agent, url: string, body?: object): Promise<T> {
  const { statusCode, body: answer } = await request(url, {
    dispatcher,
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  })
  const text = await answer.text()
  if (statusCode >= 300) throw new Error(`The program answered ${statusCode}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as T
}
