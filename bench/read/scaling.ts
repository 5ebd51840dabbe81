import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { makeArticles } from '../lib/article.ts'
import { never, requestOf } from './request.ts'

export type Scaling = { threads: number; wallMs: number[]; cpuMs: number[]; delayMs: number }

const pagesPerRound = 150
const msOfNs = 1e-6

/**
 * Reads the same pages with one thread and with two, in turns. The delay is the longest event loop delay of this thread
 * meanwhile.
 */
export async function measureScaling(rounds: number): Promise<Scaling[]> {
  const rows = [1, 2].map((threads) => ({
    read: createReader({ maxThreads: threads }),
    row: { threads, wallMs: [], cpuMs: [], delayMs: 0 } as Scaling,
  }))
  for (let round = -1; round < rounds; round++)
    for (const { read, row } of rows) {
      const times = await timed(() => Promise.all(pages().map((html) => read(requestOf(html), never))))
      if (round < 0) continue
      row.wallMs.push(times.wallMs)
      row.cpuMs.push(times.cpuMs)
      row.delayMs = Math.max(row.delayMs, times.delayMs)
    }
  await Promise.all(rows.map(({ read }) => read.close()))
  return rows.map(({ row }) => row)
}

/** Delay of an idle thread, caused by the machine. */
export async function idleDelayMs(): Promise<number> {
  return (await timed(() => pause(2000))).delayMs
}

async function timed(run: () => Promise<unknown>): Promise<{ wallMs: number; cpuMs: number; delayMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000, delayMs: delay.max * msOfNs }
}

function pages(): string[] {
  const largest = makeArticles().at(-1)?.html ?? ''
  return Array.from({ length: pagesPerRound }, () => largest)
}
