import { expect, test } from 'vitest'
import { type ExtractTask, extractTasks } from './extract-tasks.ts'
import { reader } from './page-reader.ts'
import { researcher } from './researcher.ts'
import type { ModelScript } from '../helpers/model-server.ts'
import { type Service, scripted, startService, startWeb } from './web.ts'
import { sites, special } from './world.ts'
import { type Task, tasks } from './world-tasks.ts'
import { forAll } from '../helpers/for-all.ts'

/** Returns the model's answer to the current task. */
let script: ModelScript
const web = forAll(() => startWeb(sites, special))
const withModel = forAll(() => startService(web, (...call) => script(...call)))
const withoutModel = forAll(() => startService(web, 'no model'))

const spent = async (service: Service) => {
  const { output } = await service.call('credit_usage_historical', {})
  const { periods = [] } = output as { periods?: { creditsUsed: number }[] }
  return periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
}

const urlOf = (place: string) => web.url(place.split('/', 1)[0] ?? '', place.slice(place.indexOf('/')))
const inputOf = ({ input }: Task | ExtractTask) =>
  JSON.parse(JSON.stringify(input).replace(/\{(\w+)\}(?=[/"])/g, (_, name: string) => web.url(name, '')))

type Job = {
  status: string
  data: unknown
  sources: Record<string, string[]>
  evidence: { url: string; quote: string }[]
  conflicts: unknown[]
  notFound: string[]
  pages: { url: string; error?: string }[]
  creditsUsed: number
}

function check({ holds, from, conflict }: Task, answer: Record<string, unknown>): void {
  const job = answer as Job
  expect(job.status).toBe('completed')
  const text = JSON.stringify(job.data)
  const sources = new Set(Object.values(job.sources).flat())
  const read = job.pages.filter(({ error }) => error === undefined).map(({ url }) => url)
  expect(read).toEqual(expect.arrayContaining([...sources]))
  for (const { url } of job.evidence) expect(sources).toContain(url)
  if (holds.length === 0) {
    expect(job.notFound).not.toEqual([])
    return expect([...sources]).toEqual([])
  }
  for (const part of holds) expect(text).toMatch(part)
  for (const place of from) expect(sources).toContain(urlOf(place))
  if (conflict) expect(job.conflicts).not.toEqual([])
}

async function checkExtract(task: ExtractTask, service: Service): Promise<void> {
  const before = await spent(service)
  const job = await service.extract({ ...inputOf(task), showSources: true })
  expect(job['status'], String(job['error'])).toBe(task.fails ? 'failed' : 'completed')
  expect(job['data']).toEqual(task.data)
  if (task.fails) expect(job['error']).toMatch(task.fails)
  else
    expect(job['sources']).toEqual(
      Object.fromEntries(Object.entries(task.sources).map(([field, places]) => [field, places.map(urlOf)])),
    )
  for (const warning of task.warns ?? []) expect(job['warning']).toMatch(warning)
  expect(job['creditsUsed']).toBe(task.credits)
  expect((await spent(service)) - before).toBe(task.credits)
}

test.each(tasks.map((task) => [task.name, task] as const))('an agent with a language model: %s', async (_, task) => {
  const { hop, sites: wanted } = task
  script = scripted(researcher({ sites: wanted ?? 2, hop }))
  const before = await spent(withModel)
  const job = await withModel.agent(inputOf(task))
  check(task, job)
  expect((await spent(withModel)) - before).toBe(job['creditsUsed'])
})

test.each(tasks.filter(({ needsModel }) => !needsModel).map((task) => [task.name, task] as const))(
  'an agent without a language model: %s',
  async (_, task) => {
    const job = await withoutModel.agent(inputOf(task))
    // Passages that contradict each other are listed without being recognised as a contradiction.
    check({ ...task, conflict: task.input['schema'] !== undefined && (task.conflict ?? false) }, job)
    expect(job['warning']).toContain('No language model is configured')
  },
)

test.each(extractTasks.map((task) => [task.name, task] as const))(
  'an extraction with a language model: %s',
  (_, task) => {
    script = reader(task)
    return checkExtract(task, withModel)
  },
)

test.each(extractTasks.filter(({ needsModel }) => !needsModel).map((task) => [task.name, task] as const))(
  'an extraction without a language model: %s',
  (_, task) => checkExtract(task, withoutModel),
)

test('no task visits sites other than its own', () => {
  expect(web.requests.filter((url) => url.startsWith(web.url('evil', '')))).toEqual([])
  expect(web.requests.filter((url) => url.endsWith('/secret'))).toEqual([])
})
