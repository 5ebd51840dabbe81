import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { researcher } from '../agent/researcher.ts'
import { scripted, settings, startWeb } from '../agent/web.ts'
import { isFull, seed } from '../attack/hostile.ts'
import { gives, type ModelScript, says, startModelServer } from '../helpers/model-server.ts'
import { noPostgres, startPostgres } from '../helpers/postgres.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { page, pageIn, startPages } from '../operations/extract-world.ts'
import { forTest } from '../helpers/for-all.ts'
import { results } from './cluster-kit.ts'

type Place = { env: Record<string, string>; goAway(): Promise<void>; comeBack(): Promise<void> }

/** A database file that another connection can lock for writing. */
async function lockedFile(): Promise<Place> {
  const dir = tempDir()
  onTestFinished(() => dir.remove())
  let other: DatabaseSync | undefined
  return {
    env: { GOSSAMER_DATA_DIR: dir.path },
    async goAway() {
      other = new DatabaseSync(join(dir.path, 'gossamer.db'), { timeout: 5000 })
      other.exec('BEGIN IMMEDIATE')
    },
    comeBack: async () => other?.close(),
  }
}

async function postgres(): Promise<Place> {
  const dir = tempDir()
  const { url, stop, start, close } = await startPostgres()
  onTestFinished(async () => {
    await close()
    dir.remove()
  })
  return { env: { GOSSAMER_DATA_DIR: dir.path, GOSSAMER_DATABASE_URL: url }, goAway: stop, comeBack: start }
}

/** Returns a generator of numbers from 0 to 1 that depend only on the seed. */
function drawer(from: number): () => number {
  let state = from >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** An outage that starts `after` a number of requests to the sites and the model. */
type Outage = { after: number; seconds: number }
const plan = (nth: number, lengths: readonly number[]): Outage[] => {
  const draw = drawer(seed + nth)
  return lengths.map((seconds, at) => ({ after: 10 + at * 45 + Math.floor(draw() * 45), seconds }))
}
/** Lengths of outages in seconds; calls wait five seconds for a database. A full run takes a quarter of an hour. */
const runs = isFull
  ? [
      [1, 8],
      [3, 30],
      [8, 3],
      [30, 1],
      [8, 8],
    ]
  : [[1, 8]]

const count = 16
const names = Array.from({ length: count }, (_, at) => `Part ${at}`)
const peaks = Array.from({ length: 6 }, (_, at) => `peak${at}`)
const heightOf = (at: number) => `${3000 + at} metres`
const schema = {
  type: 'object',
  properties: { parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
}

async function startWorld() {
  const paths = names.map((part, at): [string, string] => [`/parts/${at}`, page(part, { Name: part })])
  const links = paths.map(([path]) => `<a href="${path}">${path}</a>`).join(' ')
  const site = await startPages(Object.fromEntries([['/', page('Home', {}, links)], ...paths]), 150)
  const web = await startWeb(
    Object.fromEntries(
      peaks.map((name, at) => [
        name,
        { '/': `<title>Height of Mount Ilse, ${name}</title><p>The height of Mount Ilse is ${heightOf(at)}.</p>` },
      ]),
    ),
  )
  const research = scripted(researcher({ sites: peaks.length }))
  const script: ModelScript = async (call, nth) => {
    await sleep(250)
    if (call.schema === undefined) return says(`About ${/Part \d+|Home/.exec(call.prompt)?.[0]}. More.`)
    if (!('parts' in ((call.schema['properties'] as object | undefined) ?? {}))) return research(call, nth)
    return gives({ parts: [{ name: /# (Part \d+)/.exec(pageIn(call))?.[1] }] })
  }
  const model = await startModelServer(script)
  onTestFinished(async () => {
    await model.close()
    await web.stop()
  })
  return {
    urls: paths.map(([path]) => site.url(path)),
    home: site.url('/'),
    sources: peaks.map((name) => web.url(name)),
    env: settings(web, model.url('openai')),
    requests: () => model.calls.length + site.requests.length + web.requests.length,
  }
}

type Check = { id: string; status: string; actualCredits: number; pages: { url: string; status: string }[] }
type State = {
  status: string
  creditsUsed: number
  data: { parts: { name: string }[]; answer: string; llmstxt: string }
  sources: { answer: string[] }
}

const places: [string, boolean, () => Promise<Place>][] = [
  ['SQLite', true, lockedFile],
  [`PostgreSQL${noPostgres ? ` (${noPostgres})` : ''}`, noPostgres === undefined, postgres],
]
const draws = places.flatMap(([name, isHere, open]) =>
  runs.map((lengths, nth) => ({ name, isHere, open, lengths, nth })),
)

for (const { name, isHere, open, lengths, nth } of draws)
  test.runIf(isHere)(
    `each kind of job has its exact result and bill after ${name} was away for ${lengths.join(' and ')} seconds (seed ${seed}, ${nth})`,
    { timeout: 300_000 },
    async () => {
      const world = await startWorld()
      const { urls } = world
      const place = await open()
      const server = forTest(await startServer({ ...world.env, ...place.env }))
      const patience = { timeout: 120_000, interval: 300 }
      const post = <T>(path: string, body: object) => read<T>(`${server.url}/v2/${path}`, body)
      const monitor = await post<{ data: { id: string } }>('monitor', {
        schedule: { cron: '0 0 1 1 *' },
        targets: [{ type: 'scrape', urls, scrapeOptions: { formats: [{ type: 'json', schema }] } }],
      })
      const monitorPath = `monitor/${monitor.data.id}`
      const fresh = { maxAge: 0 }
      const batch = await post<{ id: string }>('batch/scrape', { urls, ...fresh, maxConcurrency: 2 })
      const extraction = await post<{ id: string }>('extract', { urls, schema, scrapeOptions: fresh })
      const agent = await post<{ id: string }>('agent', { prompt: 'What is the height of Mount Ilse?' })
      const list = await post<{ id: string }>('llmstxt', { url: world.home, maxUrls: count + 1, cache: false })
      const check = await post<{ data: Check }>(`${monitorPath}/run`, {})

      for (const { after, seconds } of plan(nth, lengths)) {
        await expect.poll(world.requests, patience).toBeGreaterThan(after)
        await place.goAway()
        await sleep(seconds * 1000)
        await place.comeBack()
      }

      const ended = async (path: string) => {
        const state = () => read<State>(`${server.url}/v2/${path}`)
        await expect.poll(async () => (await state()).status, patience).toMatch(/completed|failed/)
        return state()
      }
      const extracted = await ended(`extract/${extraction.id}`)
      expect(extracted).toMatchObject({ status: 'completed', creditsUsed: 5 * count })
      expect(extracted.data.parts.map((part) => part.name).toSorted()).toEqual(names.toSorted())
      const answered = await ended(`agent/${agent.id}`)
      // One search, and one request per page.
      expect(answered).toMatchObject({ status: 'completed', creditsUsed: 2 + peaks.length })
      for (const at of peaks.keys()) expect(answered.data.answer).toContain(heightOf(at))
      expect(answered.sources.answer.toSorted()).toEqual(world.sources.toSorted())
      const listed = await ended(`llmstxt/${list.id}`)
      expect(listed).toMatchObject({ status: 'completed', creditsUsed: count + 1 })
      for (const url of urls) expect(listed.data.llmstxt).toContain(`(${url}): About Part`)
      const checked = async () =>
        (await read<{ data: Check }>(`${server.url}/v2/${monitorPath}/checks/${check.data.id}`)).data
      await expect.poll(async () => (await checked()).status, patience).toBe('completed')
      const { pages, actualCredits } = await checked()
      expect(pages.map(({ url, status }) => [url, status])).toEqual(urls.map((url) => [url, 'new']))
      expect(actualCredits).toBe(5 * count)
      const scraped = await results(() => server.url, batch.id)
      expect(scraped).toMatchObject({ status: 'completed', completed: count, creditsUsed: count })
      expect(scraped.data.map(({ metadata }) => metadata.sourceURL).toSorted()).toEqual(urls.toSorted())
      const usage = await read<{ periods: { creditsUsed: number }[] }>(`${server.url}/v2/team/credit-usage/historical`)
      expect(usage.periods.map(({ creditsUsed }) => creditsUsed)).toEqual([
        5 * count + 2 + peaks.length + count + 1 + 5 * count + count,
      ])
      // The interrupted check does not block the next one.
      const next = await post<{ data: Check; warning?: string }>(`${monitorPath}/run`, {})
      expect(next.warning).toBeUndefined()
      expect(next.data.id).not.toBe(check.data.id)
    },
  )
