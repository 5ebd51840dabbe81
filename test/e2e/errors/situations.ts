import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { Answer, Road } from '../../helpers/roads.ts'
import type { Site } from '../../helpers/site.ts'
import { sessionIdIn } from '../../helpers/tool-call.ts'
import type { Team, Worlds } from './situation-worlds.ts'
import { scrapeIdIn, type World } from './world.ts'

export type Stage = { world: World<Team>; site: Site; team: Team }
export type Situation = {
  in: keyof Worlds
  as?: Team
  /** What is told of a job that has gone wrong, in an answer that is no error. */
  isTold?: true
  /** Brings it about over REST, once for each road, and names the call that meets it. */
  make(stage: Stage, rest: Road): Promise<{ call: string; with: Record<string, unknown> }>
}

/** Errors that take more than a call: something must have happened before, or be going on. */
export const bySituation = {
  UNKNOWN_ERROR: { in: 'damaged', make: async () => ({ call: 'monitor_list', with: {} }) },
  REMOTE_UNAVAILABLE: { in: 'remote', make: async () => ({ call: 'map', with: { url: 'https://example.com/' } }) },
  RATE_LIMITED: {
    in: 'able',
    as: 'slow',
    make: async ({ site }, rest) => {
      const call = { call: 'scrape', with: { url: site.url('/plain') } }
      await expect.poll(async () => (await rest.call(call.call, call.with)).code).toBe('RATE_LIMITED')
      return call
    },
  },
  QUEUE_FULL: {
    in: 'able',
    as: 'narrow',
    make: async ({ site }, rest) => {
      void rest.call('scrape', { url: site.url('/silent'), maxAge: 0, timeout: 5000 })
      await expect.poll(async () => (await rest.call('concurrency_check', {})).output).toMatchObject({ concurrency: 1 })
      return { call: 'scrape', with: { url: site.url('/plain') } }
    },
  },
  SESSION_LIMIT: {
    in: 'able',
    as: 'shut',
    make: async (_, rest) => {
      await opened(rest)
      return { call: 'browser_create', with: {} }
    },
  },
  SESSION_GONE: {
    in: 'able',
    make: async (_, rest) => {
      const sessionId = await opened(rest)
      await done(rest.call('browser_close', { sessionId }))
      return { call: 'browser_act', with: { sessionId, acts: [{ type: 'back' }] } }
    },
  },
  SESSION_FAILED: {
    in: 'able',
    make: async ({ site }, rest) => {
      const sessionId = await opened(rest)
      await done(rest.call('browser_act', { sessionId, acts: [{ type: 'navigate', url: site.url('/plain') }] }))
      await rest.call('browser_execute', { sessionId, code: crash })
      return { call: 'browser_snapshot', with: { sessionId } }
    },
  },
  PROFILE_IN_USE: {
    in: 'able',
    make: async (_, rest) => {
      const wish = { profile: { name: crypto.randomUUID() } }
      await opened(rest, wish)
      return { call: 'browser_create', with: wish }
    },
  },
  PROFILE_UNREADABLE: {
    in: 'able',
    make: async ({ world }, rest) => {
      const name = crypto.randomUUID()
      const sessionId = await opened(rest, { profile: { name } })
      await done(rest.call('browser_close', { sessionId }))
      for (const path of profilesIn(world.dataDir)) writeFileSync(path, readFileSync(path).subarray(0, 40))
      return { call: 'browser_create', with: { profile: { name, saveChanges: false } } }
    },
  },
  MODEL_UNAVAILABLE: {
    in: 'able',
    make: async ({ site }, rest) => ({
      call: 'interact',
      with: { jobId: await scraped(rest, site), prompt: 'Find the cheapest bell' },
    }),
  },
  MODEL_FAILED: {
    in: 'modelled',
    make: async ({ site }, rest) => ({
      call: 'interact',
      with: { jobId: await scraped(rest, site), prompt: 'Find the cheapest bell' },
    }),
  },
  MODEL_TIMEOUT: {
    in: 'modelled',
    make: async ({ site }, rest) => ({
      call: 'interact',
      with: { jobId: await scraped(rest, site), prompt: 'Find the loudest bell' },
    }),
  },
  SCRAPE_ACTION_ERROR: {
    in: 'able',
    make: async ({ site }) => ({
      call: 'scrape',
      with: { url: site.url('/plain'), actions: [{ type: 'executeJavascript', script: 'throw new Error("no")' }] },
    }),
  },
  SCRAPE_JOB_CANCELLED: {
    in: 'able',
    isTold: true,
    make: async ({ site, world, team }, rest) => {
      const left = new AbortController()
      const target = `${site.url('/silent')}?${crypto.randomUUID()}`
      const asked = fetch(`${world.url}/v2/scrape`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${world.keyOf(team)}` },
        body: JSON.stringify({ url: target, maxAge: 0 }),
        signal: left.signal,
      }).catch(() => 'left')
      await expect.poll(() => site.requests.some(({ url }) => target.endsWith(url))).toBe(true)
      left.abort()
      expect(await asked).toBe('left')
      const job = async () =>
        listed(await rest.call('activity', { endpoint: 'scrape' })).find((one) => one.target === target)
      await expect.poll(job).toBeDefined()
      return { call: 'scrape_result', with: { jobId: (await job())?.id } }
    },
  },
  CRAWL_DENIAL: {
    in: 'able',
    isTold: true,
    make: async ({ site }, rest) => {
      const { output } = await rest.call('crawl', { url: site.url('/closed/'), sitemap: 'skip', wait: 60 })
      return { call: 'crawl_errors', with: { id: output?.['id'] } }
    },
  },
  NO_PAGE_READ: {
    in: 'able',
    isTold: true,
    make: async (_, rest) => {
      const { output } = await rest.call('extract', {
        urls: ['http://127.0.0.1:1/'],
        schema: { type: 'object', properties: { founded: { type: 'number' } } },
      })
      const call = { call: 'extract_status', with: { id: output?.['id'] } }
      await expect.poll(async () => (await rest.call(call.call, call.with)).output).toMatchObject({ status: 'failed' })
      return call
    },
  },
} as const satisfies Partial<Record<ErrorCode, Situation>>

async function done(answer: Promise<Answer>): Promise<Answer> {
  const { code, message } = await answer
  expect({ code, message }).toEqual({ code: undefined, message: undefined })
  return answer
}

/** Ends the process of the page, as a bug in it would. */
const crash = `const tab = await context.newCDPSession(page)
const crashed = new Promise((resolve) => { page.once('crash', resolve); setTimeout(resolve, 3000) })
tab.send('Page.crash').catch(() => {})
await crashed`

const opened = async (rest: Road, wish: Record<string, unknown> = {}) =>
  sessionIdIn((await done(rest.call('browser_create', wish))).output)

const scraped = async (rest: Road, site: Site) =>
  scrapeIdIn(await done(rest.call('scrape', { url: site.url('/asks') })))

const listed = ({ output }: Answer) => output?.['data'] as { id: string; target: string }[]

const profilesIn = (folder: string) =>
  (readdirSync(join(folder, 'profiles'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, 'profiles', name))
