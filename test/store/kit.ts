import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CachedPage, Job } from '../../src/contracts/ports.ts'
import { openStore, type Store, type StoreOptions } from '../../src/engine/store/sqlite/open-store.ts'
import type { Log } from '../../src/kernel/log.ts'

export type FakeClock = { now(): number; advance(ms: number): void }
export function fakeClock(at = Date.UTC(2026, 4, 20, 12)): FakeClock {
  let now = at
  return { now: () => now, advance: (ms) => void (now += ms) }
}

export type LogLine = { level: string; event: string; facts: object | undefined }
export function logBook(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: string) => (event: string, facts?: object) => void lines.push({ level, event, facts })
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-store-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export async function tempStore(
  options: Partial<StoreOptions> = {},
): Promise<{ store: Store; clock: FakeClock; lines: LogLine[] }> {
  const clock = fakeClock()
  const { log, lines } = logBook()
  const store = await openStore({
    dir: null,
    clock,
    cacheMaxBytes: 2 ** 30,
    jobRetentionMs: 86_400_000,
    log,
    ...options,
  })
  onTestFinished(() => store.close())
  return { store, clock, lines }
}

export const aJob = (changes: Partial<Job> = {}): Job => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: null,
  endpoint: 'scrape',
  target: 'https://example.com/',
  createdAt: Date.UTC(2026, 4, 20, 12),
  status: 'completed',
  errorCode: null,
  result: { markdown: '# Hello' },
  replay: null,
  credits: 1,
  ...changes,
})

export const aPage = (changes: Partial<CachedPage> = {}): CachedPage => ({
  fetchedAt: 1000,
  url: 'https://example.com/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  made: {},
  ...changes,
})
