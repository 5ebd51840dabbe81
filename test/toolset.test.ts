import { describe, expect, test } from 'vitest'
import { toolSets } from '../src/cli/mcp-options.ts'
import type { AppError } from '../src/kernel/error.ts'
import { type Arguments, callingOf, callsFor, isForModels, operationsOf, type Tool } from '../src/kernel/tool.ts'
import { operations, tools } from '../src/operations/index.ts'
import { agentCalls, mcpTools } from '../src/surfaces/mcp/tools.ts'
import { instructionsFor } from '../src/operations/mcp-extras.ts'

const named = (name: string): Tool => tools.find((tool) => tool.name === name)!
const id = '0190c2a0-0000-7000-8000-000000000000'
const calls = (name: string, args: Arguments) =>
  callsFor(named(name), args).map(({ operation, input }) => [operation.name, input])

describe('a tool that stands for several operations', () => {
  test.each<[string, Arguments, [string, object][]]>([
    [
      'crawl_status',
      { id },
      [
        ['crawl_status', { id }],
        ['extract_status', { id }],
      ],
    ],
    [
      'crawl_status',
      { id, skip: 5 },
      [
        ['crawl_status', { id, skip: 5 }],
        ['extract_status', { id, skip: 5 }],
      ],
    ],
    ['crawl_status', { id, errors: true }, [['crawl_errors', { id }]]],
    [
      'crawl_cancel',
      { id },
      [
        ['crawl_cancel', { id }],
        ['extract_cancel', { id }],
      ],
    ],
    [
      'browser_close',
      { sessionId: id },
      [
        ['browser_close', { sessionId: id }],
        ['interact_stop', { jobId: id }],
      ],
    ],
    ['activity', {}, [['activity', {}]]],
    ['activity', { show: 'crawls' }, [['crawl_active', {}]]],
    ['activity', { show: 'browsers' }, [['browser_list', { status: 'active' }]]],
    ['usage', {}, [['token_usage', {}]]],
    ['usage', { show: 'credits_by_month', byApiKey: true }, [['credit_usage_historical', { byApiKey: true }]]],
    ['crawl', { url: 'https://a.example' }, [['crawl', { url: 'https://a.example' }]]],
    [
      'crawl',
      { url: 'https://a.example', prompt: 'blog', preview: true },
      [['crawl_params_preview', { url: 'https://a.example', prompt: 'blog' }]],
    ],
    ['agent', { prompt: 'Who?' }, [['agent', { prompt: 'Who?' }]]],
    [
      'agent',
      { prompt: 'Who?', urls: ['https://a.example/*'], maxPages: 3 },
      [['extract', { prompt: 'Who?', showSources: true, urls: ['https://a.example/*'], limit: 3 }]],
    ],
  ])('%s %j', (name, args, expected) => expect(calls(name, args)).toEqual(expected))

  test.each<[string, Arguments, string]>([
    ['usage', { show: 'everything' }, 'show'],
    ['activity', { show: 7 }, 'show'],
    ['crawl_status', { id, errors: 'perhaps' }, 'errors'],
  ])('%s %j fails with the name of the wrong argument', (name, args, field) => {
    const fault = expect.objectContaining({ path: [field] })
    expect(() => calls(name, args)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', details: [fault] }))
  })

  test('passes unknown arguments to the operation, which refuses them', () => {
    expect(calls('activity', { show: 'crawls', colour: 'red' })).toEqual([['crawl_active', { colour: 'red' }]])
  })

  test('has a valid call as example, and a variant for each choice', () => {
    for (const tool of tools) {
      const [call] = callsFor(tool, { ...tool.example } as Arguments)
      expect(call?.operation.input.safeParse(call.input).error, tool.name).toBeUndefined()
      const values = tool.variants.flatMap(({ when = {} }) => Object.entries(when))
      for (const [name, value] of values) expect(() => callsFor(tool, { [name]: value }), tool.name).not.toThrow()
    }
  })
})

test('every operation is called by at most one tool, and `callingOf` returns that tool', () => {
  const called = tools.flatMap(operationsOf)
  expect(new Set(called).size).toBe(called.length)
  for (const operation of called) {
    const { tool, fixed, names } = callingOf(tools, operation)!
    const input = { ...operation.example } as Arguments
    const args = Object.fromEntries(Object.entries(input).map(([field, value]) => [names[field] ?? field, value]))
    expect(
      calls(tool, { ...fixed, ...args }).map(([name]) => name),
      operation.name,
    ).toContain(operation.name)
  }
  expect(
    callingOf(
      tools,
      operations.find(({ name }) => name === 'admin_teams')!,
    ),
  ).toBeUndefined()
})

test('every endpoint of the public contract has a tool or polls one', () => {
  const contract =
    'scrape scrape_result crawl crawl_status crawl_errors crawl_cancel crawl_active crawl_params_preview batch_scrape map search parse extract extract_status agent interact interact_stop browser_create browser_execute browser_list browser_close activity token_usage credit_usage queue_status concurrency_check support_ask docs_search'.split(
      ' ',
    )
  const called = new Set(tools.flatMap(operationsOf).map(({ name }) => name))
  expect(contract.filter((name) => !called.has(name))).toEqual([])
})

const hintsOf = (effect: string | undefined) =>
  ({
    reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  })[effect ?? '']
const effects = new Map([
  ['activity', ['reads', 'closed']],
  ['agent', ['adds', 'open']],
  ['batch_scrape', ['adds', 'open']],
  ['browser_act', ['changes', 'open']],
  ['browser_close', ['deletes', 'closed']],
  ['browser_create', ['adds', 'open']],
  ['browser_execute', ['changes', 'open']],
  ['browser_frame', ['reads', 'open']],
  ['browser_snapshot', ['reads', 'open']],
  ['crawl', ['adds', 'open']],
  ['crawl_cancel', ['deletes', 'closed']],
  ['crawl_status', ['reads', 'closed']],
  ['docs_search', ['reads', 'closed']],
  ['interact', ['changes', 'open']],
  ['map', ['reads', 'open']],
  ['monitor', ['changes', 'open']],
  ['parse', ['reads', 'closed']],
  ['scrape', ['reads', 'open']],
  ['scrape_result', ['reads', 'closed']],
  ['search', ['reads', 'open']],
  ['support_ask', ['reads', 'open']],
  ['usage', ['reads', 'closed']],
])

test.each(tools)(
  '$name states its title and all four hints, so no client uses the defaults of the protocol',
  (tool) => {
    const [effect, world] = effects.get(tool.name) ?? []
    expect(mcpTools(tools).get(tool.name)?.listed.annotations).toEqual({
      title: tool.title,
      ...hintsOf(effect),
      openWorldHint: world === 'open',
    })
  },
)

type Node = { description?: string; properties?: Record<string, Node>; items?: Node }
const fieldsOf = (node: Node, path: string): [string, string][] =>
  Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    [`${path}.${name}`, child.description ?? ''],
    ...fieldsOf(child, `${path}.${name}`),
    ...fieldsOf(child.items ?? {}, `${path}.${name}[]`),
  ])

test('every tool and every field has a description of at least three words, which names no field of REST alone', () => {
  const described = [...mcpTools(tools).values()].flatMap(({ tool, listed }): [string, string][] =>
    isForModels(tool)
      ? [[tool.name, listed.description ?? ''], ...fieldsOf(listed.inputSchema as Node, tool.name)]
      : [],
  )
  expect(described.length).toBeGreaterThan(150)
  const faulty = described.filter(([, text]) => text.split(/\s+/).length < 3 || /metadata\./.test(text))
  expect(faulty).toEqual([])
})

const refusal = (name: string, args: Arguments) => {
  try {
    return { input: agentCalls(named(name), args)[0]?.input }
  } catch (thrown) {
    const { code, message, hint } = thrown as AppError
    return { code, message, hint }
  }
}

describe('scrape only reads, so an agent', () => {
  const url = 'https://example.com/'

  test('gets the browser_act call for clicks and typing', () => {
    const actions = [
      { type: 'wait', selector: '#q' },
      { type: 'click', selector: '#q' },
      { type: 'write', text: 'rope' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', milliseconds: 500 },
      { type: 'screenshot', fullPage: true },
    ]
    const { code, hint = '' } = refusal('scrape', { url, actions })
    expect(code).toBe('BAD_REQUEST')
    const [, tool = '', json = ''] = /^Call (\w+) with (.*)$/.exec(hint) ?? []
    expect(tool).toBe('browser_act')
    const [call] = callsFor(named(tool), JSON.parse(json))
    expect(call?.operation.input.parse(call.input)).toMatchObject({
      url,
      acts: [
        { type: 'click', target: 'css=#q' },
        { type: 'type', value: 'rope' },
        { type: 'press', key: 'Enter' },
        { type: 'wait', milliseconds: 500 },
        { type: 'screenshot', fullPage: true },
        { type: 'extract', as: 'markdown' },
      ],
    })
  })

  test('gets the browser_execute call for a script', () => {
    const { hint } = refusal('scrape', { url, actions: [{ type: 'executeJavascript', script: "alert('a')" }] })
    expect(hint).toBe(`Call browser_execute with {"url":"${url}","code":"await page.evaluate(\\"alert('a')\\")"}`)
  })

  test.each<[string, Arguments, string]>([
    ['two URLs', { url: `${url}a, ${url}b` }, `Call batch_scrape with {"urls":["${url}a","${url}b"]}`],
    ['a list of URLs', { url: [`${url}a`, `${url}b`] }, `Call batch_scrape with {"urls":["${url}a","${url}b"]}`],
    [
      'a script',
      { url, executeJavascript: '1' },
      `Call browser_execute with {"url":"${url}","code":"await page.evaluate(\\"1\\")"}`,
    ],
    ['a missing question', { url, formats: ['question'] }, 'Add question; the format question is then implied.'],
  ])('gets the call to make for %s', (_, args, hint) => {
    expect(refusal('scrape', args)).toMatchObject({ code: 'BAD_REQUEST', hint })
  })

  test('gets the browser_execute call for a script among acts', () => {
    const acts = [{ type: 'executeJavascript', script: '1' }]
    const hint = `Call browser_execute with {"url":"${url}","code":"await page.evaluate(\\"1\\")"}`
    expect(refusal('browser_act', { url, acts })).toMatchObject({ code: 'BAD_REQUEST', hint })
  })

  test('cannot save a profile', () => {
    expect(refusal('scrape', { url, profile: { name: 'shop' } }).input).toMatchObject({
      profile: { name: 'shop', saveChanges: false },
    })
    expect(refusal('scrape', { url, profile: { name: 'shop', saveChanges: true } }).code).toBe('BAD_REQUEST')
  })

  test('gets all calls for clicks and a script with a profile; a comma in a URL does not split the URL', () => {
    const actions = [
      { type: 'click', selector: '#more' },
      { type: 'executeJavascript', script: '1' },
    ]
    const { hint = '' } = refusal('scrape', { url, profile: { name: 'shop' }, actions })
    const inOrder = ['browser_create with', 'browser_act with', 'browser_execute with']
    expect(hint).toMatch(new RegExp(inOrder.join('.*then, with its sessionId instead of url, ')))
    const proxied = `${url}w=200,https://example.org/a.png`
    expect(refusal('scrape', { url: proxied }).input).toMatchObject({ url: proxied })
  })

  test.each<[string, Arguments, string]>([
    ['crawl', { url }, 'scrapeOptions.actions'],
    ['search', { query: 'rope' }, 'scrapeOptions.actions'],
    ['batch_scrape', { urls: [url] }, 'actions'],
    ['monitor', { action: 'create', urls: [url], schedule: 'daily' }, 'targets[].scrapeOptions.actions'],
  ])('cannot act by %s either, and the error names the REST field for actions', (name, args, field) => {
    const scrapeOptions = { actions: [{ type: 'click', selector: '#more' }] }
    const { code, hint } = refusal(name, { ...args, scrapeOptions })
    expect(code).toBe('BAD_REQUEST')
    expect(hint).toContain(`REST: ${field}.`)
    const targets = [{ type: 'scrape', urls: [url], scrapeOptions }]
    expect(refusal(name, { ...args, targets }).code).toBe('BAD_REQUEST')
    const reads = { actions: [{ type: 'scroll', direction: 'down' }] }
    expect(refusal(name, { ...args, scrapeOptions: reads }).code).toBeUndefined()
  })
})

test('activity is offered for existing kinds of jobs, while REST accepts all of the contract', () => {
  const { properties } = mcpTools(tools).get('activity')!.listed.inputSchema
  expect(properties?.['endpoint']).toMatchObject({ enum: expect.not.arrayContaining(['deep_research']) })
  const [call] = callsFor(named('activity'), { endpoint: 'deep_research' })
  expect(call?.operation.input.safeParse(call.input).success).toBe(true)
})

test('scrape and search have the argument offset, which reads the rest of a long response', () => {
  for (const name of ['scrape', 'search'])
    expect(mcpTools(tools).get(name)?.listed.inputSchema.properties).toHaveProperty('offset')
})

describe('the instructions', () => {
  const forModels = tools.filter(isForModels).map(({ name }) => name)

  test('name every offered tool except those that others lead to, in 2 kB', () => {
    const text = instructionsFor(new Set(forModels))
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(text).not.toMatch(/[{}]/)
    const unnamed = forModels.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
    expect(unnamed).toEqual(['crawl_cancel', 'monitor', 'parse', 'scrape_result'])
  })

  test.each([[[]], [['scrape']], [toolSets['core'] ?? []], [['browser_act', 'agent']]])('name only %j', (offered) => {
    const text = instructionsFor(new Set(offered))
    const words = text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    expect(words.filter((name) => forModels.includes(name) && !offered.includes(name))).toEqual([])
    for (const name of offered.filter((each) => each !== 'scrape_result')) expect(text).toContain(name)
  })
})
