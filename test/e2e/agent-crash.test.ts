import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { researcher } from '../agent/researcher.ts'
import { scripted, settings, startWeb } from '../agent/web.ts'
import { read } from '../helpers/api.ts'
import { startModelServer } from '../helpers/model-server.ts'
import { startServer, tempDir } from '../helpers/program.ts'

const count = 8
const kills = 2

type State = { status: string; creditsUsed: number; data?: { answer: string }; sources?: { answer: string[] } }

const pageOf = (name: string, at: number) =>
  `<title>Height of Mount Ilse, ${name}</title><p>The height of Mount Ilse is ${3000 + at} metres.</p>`

test('an agent whose server is killed repeatedly finishes, and pays for each search and page once', async () => {
  const names = Array.from({ length: count }, (_, at) => `peak${at}`)
  const web = await startWeb(Object.fromEntries(names.map((name, at) => [name, { '/': pageOf(name, at) }])))
  const say = scripted(researcher({ sites: count }))
  const model = await startModelServer(async (question, nth) => {
    await sleep(150)
    return say(question, nth)
  })
  const dir = tempDir()
  const env = { ...settings(web, model.url('openai')), GOSSAMER_DATA_DIR: dir.path }
  onTestFinished(async () => {
    await model.close()
    await web.stop()
    dir.remove()
  })

  let server = await startServer(env)
  const { id } = await read<{ id: string }>(`${server.url}/v2/agent`, { prompt: 'What is the height of Mount Ilse?' })
  const stateOf = () => read<State>(`${server.url}/v2/agent/${id}`)
  for (let kill = 0; kill < kills; kill++) {
    const before = model.calls.length
    await expect.poll(() => model.calls.length).toBeGreaterThan(before + 1)
    server.program.kill('SIGKILL')
    await server.program.exited
    server = await startServer(env)
  }
  await expect.poll(async () => (await stateOf()).status).toBe('completed')
  const { data, sources, creditsUsed } = await stateOf()
  for (const at of names.keys()) expect(data?.answer).toContain(`${3000 + at} metres`)
  expect(sources?.answer.toSorted()).toEqual(names.map((name) => web.url(name)).toSorted())
  // Two credits for the search, and one for each page.
  expect(creditsUsed).toBe(2 + count)
  const { periods } = await read<{ periods: { creditsUsed: number }[] }>(
    `${server.url}/v2/team/credit-usage/historical`,
  )
  expect(periods.map((period) => period.creditsUsed)).toEqual([2 + count])
  // The model takes notes of each page, makes six decisions and answers. Only requests in progress at a kill are
  // repeated.
  expect(model.calls.length).toBeLessThanOrEqual(count + 7 + kills)
  await server.stop()
})
