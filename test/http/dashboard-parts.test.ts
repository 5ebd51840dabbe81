import { describe, expect, test } from 'vitest'
import { CreateMonitor } from '../../src/schema/monitor-schema.ts'
import { linesOf } from '../../src/web/dashboard/views/monitors/check-view.ts'
import { type MonitorDraft, monitorOfDraft } from '../../src/web/dashboard/views/monitors/new-monitor.ts'
import { questionOf, repairedInput } from '../../src/web/dashboard/views/why-view.ts'

test('the lines of a diff have their kind, without those of file names', () => {
  const text = '--- before\n+++ after\n@@ -1,3 +1,3 @@\n same\n-old\n+new\n \n---- removed\n+++ added\n'
  expect(linesOf(text)).toEqual([
    { kind: 'position', text: '@@ -1,3 +1,3 @@' },
    { kind: 'unchanged', text: ' same' },
    { kind: 'removed', text: '-old' },
    { kind: 'added', text: '+new' },
    { kind: 'unchanged', text: ' ' },
    { kind: 'removed', text: '---- removed' },
    { kind: 'added', text: '+++ added' },
  ])
})

describe('a new monitor', () => {
  const draft: MonitorDraft = {
    kind: 'pages',
    addresses: ' https://x.example/a\n\nhttps://x.example/b ',
    schedule: ' daily at 9:00 ',
    name: ' ',
    fields: '',
    webhook: '',
  }
  const made = (over: Partial<MonitorDraft>) => monitorOfDraft({ ...draft, ...over }, 'Europe/Berlin')

  test('contains the values of the form, and is accepted by the service', () => {
    expect(made({})).toEqual({
      schedule: { text: 'daily at 9:00', timezone: 'Europe/Berlin' },
      targets: [{ type: 'scrape', urls: ['https://x.example/a', 'https://x.example/b'] }],
    })
    const full = made({ kind: 'site', name: 'All', fields: 'price, stock,', webhook: ' https://x.example/hook ' })
    expect(full).toMatchObject({ name: 'All', webhook: { url: 'https://x.example/hook' } })
    const [target] = CreateMonitor.parse(full).targets
    expect(target).toMatchObject({ type: 'crawl', url: 'https://x.example/a' })
    expect(target?.scrapeOptions.formats).toContainEqual(
      expect.objectContaining({
        type: 'changeTracking',
        modes: ['json'],
        schema: { type: 'object', properties: { price: { type: 'string' }, stock: { type: 'string' } } },
      }),
    )
  })

  test.each([
    ['*/5 * * * *', 'cron'],
    ['0 9 * * MON', 'cron'],
    ['every monday and friday at 8am', 'text'],
    ['every 6 hours at night', 'text'],
    ['hourly', 'text'],
  ])('has the schedule %s as %s', (schedule, as) => {
    expect(Object.keys(made({ schedule }).schedule)).toEqual([as, 'timezone'])
  })
})

describe('a failed call', () => {
  const failure = { endpoint: 'scrape', id: 'a', target: 'https://x.example/a', page: '', code: 'SCRAPE_TIMEOUT' }

  test('becomes a question to support', () => {
    expect(questionOf(failure)).toBe('Why did my scrape of https://x.example/a fail with SCRAPE_TIMEOUT?')
    expect(questionOf({ ...failure, target: null, code: '' })).toBe('Why did my scrape fail?')
    expect(questionOf({ ...failure, endpoint: 'batch_scrape', page: 'https://x.example/b' })).toBe(
      'Why did https://x.example/b, a page of my batch of https://x.example/a, fail with SCRAPE_TIMEOUT?',
    )
  })

  test('is repeated with the suggested parameters, if there are any', () => {
    const fix = { timeout: 60_000 }
    expect(repairedInput(failure, fix)).toEqual({ url: 'https://x.example/a', timeout: 60_000 })
    expect(repairedInput({ ...failure, endpoint: 'search', target: 'kettles' }, fix)).toEqual({
      query: 'kettles',
      timeout: 60_000,
    })
    expect(repairedInput({ ...failure, endpoint: 'batch_scrape', page: 'https://x.example/b' }, fix)).toEqual({
      urls: ['https://x.example/b'],
      timeout: 60_000,
    })
    expect(repairedInput({ ...failure, target: null }, fix)).toBeUndefined()
    expect(repairedInput({ ...failure, endpoint: 'agent' }, fix)).toBeUndefined()
  })
})
