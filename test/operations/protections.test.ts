import { expect, test } from 'vitest'
import { compose } from '../../src/kernel/invoke.ts'
import { type Arguments, callsFor } from '../../src/kernel/tool.ts'
import { readLeniently, validate } from '../../src/middleware/check-input.ts'
import { operations, tools } from '../../src/operations/index.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'

const check = compose([readLeniently, validate], () => async () => ({}))
const protections = { redactPII: true, threatProtection: { mode: 'normal' }, checkPromptInjection: true }
const names = Object.keys(protections)
const refusal = (options: readonly string[]) => ({ code: 'FEATURE_UNAVAILABLE', details: { options } })

test.each(operations)('$name refuses protections that are not built', async (operation) => {
  const input = { ...operation.example, ...protections }
  expect(await failureOf(check(operation, input, fakeCtx()))).toMatchObject(refusal(names))
})

const url = 'https://example.com'
const urls = [url]
const scrapeOptions = { formats: [{ type: 'json', prompt: 'Who?', checkPromptInjection: true }], redactPII: true }
const nested = ['scrapeOptions.formats[0].checkPromptInjection', 'scrapeOptions.redactPII']
const schedule = { text: 'hourly' }
test.each<[string, object, string[]]>([
  ['scrape', { url, ...scrapeOptions }, ['formats[0].checkPromptInjection', 'redactPII']],
  ['batch_scrape', { urls, ...scrapeOptions }, ['formats[0].checkPromptInjection', 'redactPII']],
  ['crawl', { url, scrapeOptions }, nested],
  ['search', { query: 'orb webs', scrapeOptions }, nested],
  ['extract', { urls, prompt: 'Who?', scrapeOptions }, nested],
  [
    'monitor_create',
    { name: 'One', schedule, targets: [{ type: 'scrape', urls, scrapeOptions }] },
    nested.map((path) => `targets[0].${path}`),
  ],
  [
    'parse',
    { file: { filename: 'a.html', base64: 'YQ==' }, ...scrapeOptions },
    ['formats[0].checkPromptInjection', 'redactPII'],
  ],
])('%s refuses them where they are nested', async (name, input, paths) => {
  const operation = operations.find((each) => each.name === name)!
  expect(await failureOf(check(operation, input, fakeCtx()))).toMatchObject(refusal(paths))
})

test.each(tools)('$name refuses them among the arguments of agents', async (tool) => {
  const [call] = callsFor(tool, { ...(tool.example as Arguments), ...protections })
  expect(await failureOf(check(call!.operation, call!.input, fakeCtx()))).toMatchObject({ code: 'FEATURE_UNAVAILABLE' })
})
