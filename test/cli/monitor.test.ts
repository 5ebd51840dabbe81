import { describe, expect, test } from 'vitest'
import { monitorCommand } from '../../src/cli/commands/job-commands.ts'
import { failure } from '../../src/kernel/error.ts'
import { failureOf } from '../helpers/fakes.ts'
import { answeringApp, runCommand } from './kit.ts'

type Options = { flags?: Parameters<typeof monitorCommand>[0]['flags']; answers?: (object | Error)[] }

/** Returns the requests and output of the command, which gets one answer after the other. */
async function run(words: readonly string[], { flags = {}, answers = [{ data: [] }] }: Options = {}) {
  const calls: unknown[] = []
  const ending = new AbortController()
  const app = answeringApp(async ({ name, input: schema }, input) => {
    calls.push([name, input])
    schema.parse(input)
    const answer = answers.shift()
    if (!answer) ending.abort()
    if (answer instanceof Error) throw answer
    return answer ?? { data: { id: 'c', status: 'running' } }
  })
  const { code, out } = await runCommand(monitorCommand, words, { flags, app, signal: ending.signal })
  return { code, calls, out: out === '' ? undefined : (JSON.parse(out) as object) }
}

const callsOf = async (...words: string[]) => (await run(words)).calls
const id = '0190c2a0-0000-7000-8000-000000000000'
const checkId = '0190c2a0-0000-7000-8000-000000000001'

describe('gossamer monitor', () => {
  test('creates a monitor of pages, with a schedule in words or cron', async () => {
    const { calls } = await run(['create', 'https://a.test', 'https://b.test', '{"name": "Two"}'], {
      flags: { schedule: 'every 30 minutes', timezone: 'Europe/Berlin', webhook: 'https://hook.test' },
    })
    expect(calls).toEqual([
      [
        'monitor_create',
        {
          name: 'Two',
          schedule: { text: 'every 30 minutes', timezone: 'Europe/Berlin' },
          targets: [{ type: 'scrape', urls: ['https://a.test', 'https://b.test'], scrapeOptions: {} }],
          webhook: 'https://hook.test',
        },
      ],
    ])
    const { calls: byCron } = await run(['create', 'https://a.test'], { flags: { schedule: '0 9 * * 1-5' } })
    expect(byCron).toMatchObject([['monitor_create', { schedule: { cron: '0 9 * * 1-5' } }]])
  })

  test('lists, shows, changes and deletes', async () => {
    expect(await callsOf('list')).toEqual([['monitor_list', { limit: 100 }]])
    expect(await callsOf('get', id)).toEqual([['monitor_get', { id }]])
    expect(await callsOf('get', id, checkId)).toEqual([['monitor_check', { id, checkId }]])
    expect(await callsOf('update', id, '{"status": "paused"}')).toEqual([['monitor_update', { id, status: 'paused' }]])
    expect(await callsOf('delete', id)).toEqual([['monitor_delete', { id }]])
  })

  test('waits for a check and shows its changes', async () => {
    const states = ['queued', 'running', 'completed', 'completed'].map((status) => ({ data: { id: checkId, status } }))
    const { code, calls, out } = await run(['run', id], { answers: states })
    expect([code, calls.length, out]).toEqual([0, 4, { data: { id: checkId, status: 'completed' } }])
    expect(calls.at(-1)).toEqual(['monitor_check', { id, checkId }])
  })

  test('reports what is wrong', async () => {
    const { code, out } = await run(['run', id], { answers: [failure('MONITOR_NOT_FOUND')] })
    expect([code, out]).toEqual([1, expect.objectContaining({ code: 'MONITOR_NOT_FOUND' })])
    expect(String(await failureOf(run(['create', 'https://a.test'])))).toContain('gossamer monitor create URL…')
    expect(String(await failureOf(run(['get'])))).toContain('gossamer monitor get ID')
    const flags = { schedule: 'daily', crawl: true }
    expect(String(await failureOf(run(['create', 'https://a.test', 'https://b.test'], { flags })))).toContain('one URL')
  })
})
