import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRecord } from '../../src/util/json.ts'
import { sites, special } from '../agent/world.ts'
import { type Service, startService, startWeb, type Web } from '../agent/web.ts'
import { gives, type ModelCall, type ModelScript } from '../helpers/model-server.ts'
import { pageIn } from '../operations/extract-world.ts'
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
const inputOf = ({ input }: Task) =>
  JSON.parse(JSON.stringify(input).replace(/\{(\w+)\}(?=[/"])/g, (_, name: string) => web.url(name, '')))

/** A model that reads each field as the task says, off the page it is shown; and does what a page tells it. */
const reader =
  ({ reads }: Task): ModelScript =>
  (call: ModelCall) => {
    const text = pageIn(call).replace(/[*\\]/g, '')
    const order = /say it closed in (\d+)/.exec(text)?.[1]
    return gives(order === undefined ? filled(call.schema, text, reads) : { closed: Number(order) })
  }

function filled(schema: unknown, text: string, reads: Task['reads'], path = ''): unknown {
  if (!isRecord(schema)) return undefined
  const rule = reads[path]
  if (schema['type'] === 'array') return listed(schema['items'], text, reads, path)
  if (!isRecord(schema['properties'])) return rule && typed(schema, firstGroup(rule, text))
  const entries = Object.entries(schema['properties']).map(
    ([name, inner]) => [name, filled(inner, text, reads, path === '' ? name : `${path}.${name}`)] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function listed(items: unknown, text: string, reads: Task['reads'], path: string): unknown[] {
  if (!isRecord(items) || !isRecord(items['properties'])) return groups(reads[path], text)
  const columns = Object.entries(items['properties']).map(([name, rule]) => ({
    name,
    cells: groups(reads[`${path}.${name}`], text).map((cell) => typed(rule, cell)),
  }))
  return (columns[0]?.cells ?? []).map((_, row) =>
    Object.fromEntries(columns.map(({ name, cells }) => [name, cells[row]])),
  )
}

const firstGroup = (rule: RegExp, text: string) => rule.exec(text)?.slice(1).find(Boolean)?.trim()
const groups = (rule: RegExp | undefined, text: string) =>
  rule ? [...text.matchAll(rule)].flatMap(([, found]) => found ?? []) : []
const typed = (rule: unknown, found: string | undefined) =>
  found !== undefined && isRecord(rule) && /number|integer/.test(String(rule['type'])) ? Number(found) : found

async function check(task: Task, service: Service): Promise<void> {
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

describe('with a language model', () => {
  test.each(tasks.map((task) => [task.name, task] as const))('%s', (_, task) => {
    script = reader(task)
    return check(task, withModel)
  })
})

describe('without one', () => {
  test.each(tasks.filter(({ needsModel }) => !needsModel).map((task) => [task.name, task] as const))('%s', (_, task) =>
    check(task, withoutModel),
  )
})

test('no task led anywhere but to the sites of the task', () => {
  expect(web.asked.filter((url) => url.startsWith(web.url('evil', '')))).toEqual([])
  expect(web.asked.filter((url) => url.endsWith('/secret'))).toEqual([])
})
