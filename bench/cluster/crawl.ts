import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../lib/serve.ts'
import { cpuMsOf, treeOf } from '../lib/process-tree.ts'

export type CrawlFigures = { name: string; pagesPerSecond: number; cpuMsPerPage: number }
type Asked = { file: string; name: string; urls: readonly string[]; envs: readonly Record<string, string>[] }

/** Enough that the second server gets some of them. */
export const warmUpPages = 200

/** Scrapes a batch with as many servers as there are environments; CPU is that of the servers alone. */
export async function measureCrawl({ file, name, urls, envs }: Asked): Promise<CrawlFigures> {
  const servers: ChildProcess[] = envs.map((env) =>
    spawn(process.execPath, [file, 'serve', '--port', '0', '--log-level', 'error'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], GOSSAMER_ALLOW_HOSTS: '*', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  try {
    const addresses = await Promise.all(servers.map(addressOf))
    const cpu = () => servers.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : cpuMsOf(treeOf(pid))), 0)
    await sleep(1000)
    // Threads start at the first crawl, which takes seconds if all servers on one machine do so at once.
    await scrapeAll(addresses, urls.slice(0, warmUpPages), name)
    const [cpuBefore, began] = [cpu(), performance.now()]
    await scrapeAll(addresses, urls, name)
    const seconds = (performance.now() - began) / 1000
    return { name, pagesPerSecond: urls.length / seconds, cpuMsPerPage: (cpu() - cpuBefore) / urls.length }
  } finally {
    await Promise.all(servers.map(ended))
  }
}

async function scrapeAll([address]: readonly string[], urls: readonly string[], name: string): Promise<void> {
  const { id } = await ask<{ id: string }>(`${address}/v2/batch/scrape`, { urls, maxAge: 0, onlyMainContent: false })
  const completed = await finished(`${address}/v2/batch/scrape/${id}?limit=1`)
  if (completed !== urls.length) throw new Error(`${name}: ${completed} of ${urls.length} pages`)
}

/** Returns the number of pages of a job after its end. */
async function finished(url: string): Promise<number> {
  for (;;) {
    const { status, completed } = await ask<{ status: string; completed: number }>(url)
    if (status !== 'scraping') return completed
    await sleep(100)
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exited = new Promise((resolve) => server.once('exit', resolve))
  server.kill()
  await exited
}

async function ask<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return (await response.json()) as T
}
