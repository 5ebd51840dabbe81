import { expect, test } from 'vitest'
import { type Arguments, callsFor } from '../../src/kernel/tool.ts'
import { readLeniently } from '../../src/middleware/check-input.ts'
import { compose, validate } from '../../src/middleware/pipeline.ts'
import { operations, tools } from '../../src/operations/index.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'

const check = compose([readLeniently, validate], () => async () => ({}))
const protections = { threatProtection: { mode: 'normal' }, checkPromptInjection: true }
const names = Object.keys(protections)
const refusal = (options: readonly string[]) => ({ code: 'FEATURE_UNAVAILABLE', details: { options } })

test.each(operations)('$name refuses protections that are not built', async (operation) => {
  const input = { ...operation.example, ...protections }
  expect(await failureOf(check(operation, input, fakeCtx()))).toMatchObject(refusal(names))
})

const url = 'https://example.com'
const urls = [url]
const scrapeOptions = { formats: [{ type: 'json', prompt: 'Who?', checkPromptInjection: true }], threatProtection: {} }
const nested = ['scrapeOptions.formats[0].checkPromptInjection', 'scrapeOptions.threatProtection']
const schedule = { text: 'hourly' }
test.each<[string, object, string[]]>([
  ['scrape', { url, ...scrapeOptions }, ['formats[0].checkPromptInjection', 'threatProtection']],
  ['batch_scrape', { urls, ...scrapeOptions }, ['formats[0].checkPromptInjection', 'threatProtection']],
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
    ['formats[0].checkPromptInjection', 'threatProtection'],
  ],
])('%s refuses them in nested objects', async (name, input, paths) => {
  const operation = operations.find((each) => each.name === name)!
  expect(await failureOf(check(operation, input, fakeCtx()))).toMatchObject(refusal(paths))
})

test.each(tools)('$name refuses them among the arguments of agents', async (tool) => {
  const [call] = callsFor(tool, { ...(tool.example as Arguments), ...protections })
  expect(await failureOf(check(call!.operation, call!.input, fakeCtx()))).toMatchObject({ code: 'FEATURE_UNAVAILABLE' })
})

test.each<[string, object, string | undefined]>([
  ['scrape', { url, redact_emails: true }, 'redact_emails'],
  ['map', { url, redactPII: true }, 'redactPII'],
  ['scrape', { url, redactPII: { entities: ['EMAIL'] } }, undefined],
  ['scrape', { url, anonymizeNames: ['all'] }, 'anonymizeNames'],
  ['crawl', { url, scrapeOptions: { blockTrackers: 'yes' } }, 'scrapeOptions.blockTrackers'],
  ['search', { query: 'orb webs', denyList: ['a.example'] }, 'denyList'],
  ['scrape', { url, 'mask-selectors': { css: '.name' } }, 'mask-selectors'],
  ['scrape', { url, privacy: { rules: [{ redact: true }] } }, 'privacy.rules[0].redact'],
  ['scrape', { url, scrapeOptions: '{"redactPII": true}' }, 'scrapeOptions.redactPII'],
  ['search', { query: 'orb webs', sources: [{ type: 'web', maskNames: true }] }, 'sources[0].maskNames'],
  ['scrape', { url, redactNames: false, denyHosts: [], maskFields: {}, blockThings: null }, undefined],
  ['scrape', { url, block_ads: true }, undefined],
  ['search', { query: 'orb webs', blocked_domains: ['a.example'] }, undefined],
])('%s with %j is refused for the unknown option that promises a protection: %s', async (name, input, path) => {
  const operation = operations.find((each) => each.name === name)!
  const answer = check(operation, input, fakeCtx())
  if (path === undefined) await expect(answer).resolves.toBeDefined()
  else expect(await failureOf(answer)).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: [path] }] })
})
