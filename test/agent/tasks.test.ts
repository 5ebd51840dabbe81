import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { researcher } from './researcher.ts'
import type { ModelScript } from '../helpers/model-server.ts'
import { type Service, scripted, startService, startWeb, type Web } from './web.ts'
import { sites, special } from './world.ts'
import { type Task, tasks } from './world-tasks.ts'

let web: Web
/** Returns the model's answer to the current task. */
let script: ModelScript
let withModel: Service
let withoutModel: Service
beforeAll(async () => {
  web = await startWeb(sites, special)
  withModel = await startService(web, (...call) => script(...call))
  withoutModel = await startService(web, 'no model')
})
afterAll(async () => {
  await withModel.stop()
  await withoutModel.stop()
  await web.stop()
})

const spent = async (service: Service) => {
  const { output } = await service.call('credit_usage_historical', {})
  const { periods = [] } = output as { periods?: { creditsUsed: number }[] }
  return periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
}

const urlOf = (place: string) => web.url(place.split('/', 1)[0] ?? '', place.slice(place.indexOf('/')))
const inputOf = ({ input }: Task) => ({
  ...input,
  ...(Array.isArray(input['urls']) && {
    urls: input['urls'].map((url: string) => url.replace(/\{(\w+)\}/g, (_, name: string) => web.url(name, ''))),
  }),
})

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

describe('with a language model', () => {
  test.each(tasks.map((task) => [task.name, task] as const))('%s', async (_, task) => {
    const { hop, sites: wanted } = task
    script = scripted(researcher({ sites: wanted ?? 2, hop }))
    const before = await spent(withModel)
    const job = await withModel.agent(inputOf(task))
    check(task, job)
    expect((await spent(withModel)) - before).toBe(job['creditsUsed'])
  })
})

describe('without one', () => {
  test.each(tasks.filter(({ needsModel }) => !needsModel).map((task) => [task.name, task] as const))(
    '%s',
    async (_, task) => {
      const job = await withoutModel.agent(inputOf(task))
      // Passages that say different things stand side by side; nothing notices that they do.
      check({ ...task, conflict: task.input['schema'] !== undefined && (task.conflict ?? false) }, job)
      expect(job['warning']).toContain('No language model is configured')
    },
  )
})

test('no task led anywhere but to the sites of the task', () => {
  expect(web.asked.filter((url) => url.startsWith(web.url('evil', '')))).toEqual([])
})
