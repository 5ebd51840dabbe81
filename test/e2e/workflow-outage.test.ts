import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { gives, startModelServer } from '../helpers/model-server.ts'
import { noPostgres, startPostgres } from '../helpers/postgres.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { page, pageIn, startPages } from '../operations/extract-world.ts'
import { read } from './cluster-kit.ts'

const count = 16
/** Longer than a call waits for the database. */
const outageMs = 8000
const names = Array.from({ length: count }, (_, at) => `Part ${at}`)
const schema = {
  type: 'object',
  properties: { parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
}

type Place = { env: Record<string, string>; goAway(): Promise<void>; comeBack(): Promise<void> }

/** The file takes nothing more for the workflows, as on a full disk. */
async function sqlite(): Promise<Place> {
  const dir = tempDir()
  onTestFinished(() => dir.remove())
  let other: DatabaseSync | undefined
  return {
    env: { GOSSAMER_DATA_DIR: dir.path },
    async goAway() {
      other = new DatabaseSync(join(dir.path, 'gossamer.db'), { timeout: 5000 })
      other.exec(`CREATE TRIGGER no_step BEFORE INSERT ON workflow_step BEGIN SELECT RAISE(FAIL, 'full'); END;
        CREATE TRIGGER no_change BEFORE UPDATE ON workflow BEGIN SELECT RAISE(FAIL, 'full'); END;
        CREATE TRIGGER no_job BEFORE INSERT ON job BEGIN SELECT RAISE(FAIL, 'full'); END`)
    },
    async comeBack() {
      other?.exec('DROP TRIGGER no_step; DROP TRIGGER no_change; DROP TRIGGER no_job')
      other?.close()
    },
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

type Check = { id: string; status: string; actualCredits: number; pages: { url: string; status: string }[] }
type Extracted = { status: string; completed: number; creditsUsed: number; data?: { parts: { name: string }[] } }

const places: [string, boolean, () => Promise<Place>][] = [
  ['SQLite', true, sqlite],
  [`PostgreSQL${noPostgres ? ` (${noPostgres})` : ''}`, noPostgres === undefined, postgres],
]

for (const [name, isHere, open] of places)
  test.runIf(isHere)(
    `an extraction and a check of a monitor go on after ${name} was away for eight seconds, each with its exact result and bill`,
    { timeout: 180_000 },
    async () => {
      const paths = names.map((part, at): [string, string] => [`/parts/${at}`, page(part, { Name: part })])
      const site = await startPages(Object.fromEntries(paths))
      const model = await startModelServer(async (question) => {
        await sleep(400)
        return gives({ parts: [{ name: /# (Part \d+)/.exec(pageIn(question))?.[1] }] })
      })
      const place = await open()
      const server = await startServer({
        ...place.env,
        GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
        GOSSAMER_MODEL: 'test',
        GOSSAMER_MODEL_URL: model.url('openai'),
      })
      onTestFinished(async () => {
        await server.stop()
        await model.close()
      })
      const urls = paths.map(([path]) => site.url(path))
      const patience = { timeout: 90_000, interval: 300 }
      const formats = [{ type: 'json', schema }]
      const monitor = await read<{ data: { id: string } }>(`${server.url}/v2/monitor`, {
        schedule: { cron: '0 0 1 1 *' },
        targets: [{ type: 'scrape', urls, scrapeOptions: { formats } }],
      })
      const monitorUrl = `${server.url}/v2/monitor/${monitor.data.id}`
      const extraction = await read<{ id: string }>(`${server.url}/v2/extract`, {
        urls,
        schema,
        scrapeOptions: { maxAge: 0 },
      })
      const check = await read<{ data: Check }>(`${monitorUrl}/run`, {})
      await expect.poll(() => model.calls.length, patience).toBeGreaterThan(6)

      await place.goAway()
      await sleep(outageMs)
      await place.comeBack()

      const extracted = () => read<Extracted>(`${server.url}/v2/extract/${extraction.id}`)
      const checked = async () => (await read<{ data: Check }>(`${monitorUrl}/checks/${check.data.id}`)).data
      await expect.poll(async () => (await extracted()).status, patience).toBe('completed')
      await expect.poll(async () => (await checked()).status, patience).toBe('completed')
      const { data, ...state } = await extracted()
      expect(data?.parts.map((part) => part.name).toSorted()).toEqual(names.toSorted())
      expect(state).toMatchObject({ completed: count, creditsUsed: 5 * count })
      const ended = await checked()
      expect(ended.pages.map(({ url, status }) => [url, status])).toEqual(urls.map((url) => [url, 'new']))
      expect(ended.actualCredits).toBe(5 * count)
      const usage = await read<{ periods: { creditsUsed: number }[] }>(`${server.url}/v2/team/credit-usage/historical`)
      expect(usage.periods.map(({ creditsUsed }) => creditsUsed)).toEqual([10 * count])
      // The check that was stopped is not in the way of the next one.
      const next = await read<{ data: Check; warning?: string }>(`${monitorUrl}/run`, {})
      expect(next.warning).toBeUndefined()
      expect(next.data.id).not.toBe(check.data.id)
    },
  )
