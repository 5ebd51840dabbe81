import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { startSite } from '../helpers/site.ts'
import type { Route } from '../helpers/site/route.ts'
import { forTest } from '../helpers/for-all.ts'
import { startReceiver } from '../webhook/kit.ts'

const count = 16
const kills = 2

type Page = { url: string; status: string }
type Check = { id: string; status: string; trigger: string; actualCredits: number; pages: Page[]; summary: object }

const call = async <T>(url: string, body?: object) => (await read<{ data: T }>(url, body)).data

/** A site whose pages can all be changed. It is so slow that a server can be killed during a check. */
async function slowSite() {
  const state = { words: 'first', requests: 0 }
  const site = forTest(
    await startSite({
      routes: Object.fromEntries(
        Array.from({ length: count }, (_, at): [string, Route] => [
          `/p${at}`,
          async ({ response }) => {
            state.requests += 1
            await sleep(100)
            response.setHeader('content-type', 'text/html')
            response.end(
              `<title>Page ${at}</title><main><h1>Page ${at}</h1><p>The ${state.words} words of it.</p></main>`,
            )
          },
        ]),
      ),
    }),
  )
  return { state, urls: Array.from({ length: count }, (_, at) => site.url(`/p${at}`)) }
}

test('a check whose server is killed repeatedly finds every change once, and pays for each page once', async () => {
  const { state, urls } = await slowSite()
  const receiver = await startReceiver()
  const dir = tempDir()
  onTestFinished(() => dir.remove())
  const env = { GOSSAMER_DATA_DIR: dir.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
  let server = await startServer(env)
  const webhook = { url: receiver.url(), events: ['monitor.page'] }
  const monitor = { schedule: { cron: '0 0 1 1 *' }, targets: [{ type: 'scrape', urls }], webhook }
  const { id } = await call<{ id: string }>(`${server.url}/v2/monitor`, monitor)
  const run = () => call<Check>(`${server.url}/v2/monitor/${id}/run`, {})
  const stateOf = (checkId: string) => call<Check>(`${server.url}/v2/monitor/${id}/checks/${checkId}`)
  const isOver = async (checkId: string) => !['queued', 'running'].includes((await stateOf(checkId)).status)

  const first = await run()
  await expect.poll(() => isOver(first.id)).toBe(true)
  state.words = 'second'
  const second = await run()
  for (let kill = 1; kill <= kills; kill++) {
    const requests = state.requests
    await expect.poll(() => state.requests).toBeGreaterThanOrEqual(requests + 3)
    server.program.kill('SIGKILL')
    await server.program.exited
    server = await startServer(env)
  }
  await expect.poll(() => isOver(second.id)).toBe(true)
  const ended = await stateOf(second.id)
  expect(ended.pages.map(({ status }) => status)).toEqual(Array(count).fill('changed'))
  expect(ended.actualCredits).toBe(count)
  expect(state.requests).toBeGreaterThan(2 * count)
  await expect.poll(() => receiver.requests.length).toBe(count)
  await server.stop()
})
