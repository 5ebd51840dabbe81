import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { gives, startModelServer } from '../helpers/model-server.ts'
import { overStdio } from '../helpers/transports.ts'
import { page, pageIn, startPages } from '../operations/extract-world.ts'

const count = 24
const kills = 2
/** Number of pages read concurrently, which may be in progress when the program is killed. */
const sideBySide = 4

const schema = {
  type: 'object',
  properties: { parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
}

type State = { status: string; completed: number; creditsUsed: number; data?: { parts: { name: string }[] } }

const settingsFor = (dataDir: string, modelUrl: string) => ({
  GOSSAMER_DATA_DIR: dataDir,
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_MODEL: 'test',
  GOSSAMER_MODEL_URL: modelUrl,
})

test('an extraction whose server is killed repeatedly reads and pays for each page once', async () => {
  const names = Array.from({ length: count }, (_, at) => `Part ${at}`)
  const links = names.map((_, at) => `<a href="/parts/${at}">Part ${at}</a>`).join(' ')
  const parts = names.map((name, at) => [`/parts/${at}`, page(name, { Name: name })])
  const site = await startPages({ '/parts/': page('Parts', {}, links), ...Object.fromEntries(parts) })
  const model = await startModelServer(async (question) => {
    await sleep(100)
    const name = /# (Part \d+)/.exec(pageIn(question))?.[1]
    return gives(name === undefined ? {} : { parts: [{ name }] })
  })
  const dir = tempDir()
  const env = settingsFor(dir.path, model.url('openai'))
  onTestFinished(async () => {
    await model.close()
    dir.remove()
  })

  let server = await startServer(env)
  const input = { urls: [site.url('/parts/*')], schema, limit: 100, scrapeOptions: { maxAge: 0 } }
  const { id } = await read<{ id: string }>(`${server.url}/v2/extract`, input)
  const stateOf = () => read<State>(`${server.url}/v2/extract/${id}`)
  for (let kill = 1; kill <= kills; kill++) {
    await expect.poll(async () => (await stateOf()).completed).toBeGreaterThanOrEqual(kill * 4)
    server.program.kill('SIGKILL')
    await server.program.exited
    server = await startServer(env)
  }
  await expect.poll(async () => (await stateOf()).status).toBe('completed')
  const state = await stateOf()
  expect(state.data?.parts.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(state).toMatchObject({ completed: count + 1, creditsUsed: 5 * (count + 1) })
  const { periods } = await read<{ periods: { creditsUsed: number }[] }>(
    `${server.url}/v2/team/credit-usage/historical`,
  )
  expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([5 * (count + 1)])
  expect(model.calls.length).toBeLessThanOrEqual(count + 1 + kills * sideBySide)
  await server.stop()
})

test('over stdio an extraction of a killed process continues with the next process', async () => {
  const site = await startPages({ '/': page('Kettle', { Name: 'Kettle' }) })
  const hold = Promise.withResolvers<void>()
  const model = await startModelServer(async () => {
    await hold.promise
    return gives({ parts: [{ name: 'Kettle' }] })
  })
  const dir = tempDir()
  const env = settingsFor(dir.path, model.url('openai'))
  const first = await startServer(env)
  const { id } = await read<{ id: string }>(`${first.url}/v2/extract`, { urls: [site.url('/')], schema })
  await expect.poll(() => model.calls.length).toBe(1)
  first.program.kill('SIGKILL')
  await first.program.exited
  hold.resolve()
  const transport = await overStdio(env)
  onTestFinished(async () => {
    await transport.close()
    await model.close()
    dir.remove()
  })
  expect(await transport.call('activity', {})).toMatchObject({ text: expect.stringContaining(id) })
  await expect.poll(() => model.calls.length).toBe(2)
  expect(await transport.call('extract_status', { id })).toMatchObject({ text: expect.stringContaining('Job') })
})
