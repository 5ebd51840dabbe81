import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { operations } from '../../src/operations/index.ts'
import { drawn } from '../attack/hostile.ts'
import { sharedServer, usualEnv } from '../helpers/shared-server.ts'
import {
  type Answer,
  answersOnce,
  inProcess,
  markdownOf,
  overHttp,
  overRest,
  overStdio,
  type Transport,
} from '../helpers/transports.ts'
import { hasTool } from '../helpers/tool-call.ts'
import { siteForAll } from '../helpers/for-all.ts'

const names = [
  'in process',
  'passthrough over REST',
  'REST',
  'MCP over stdio',
  'MCP over HTTP',
  'MCP over stdio, passed through',
] as const
const transports = {} as Record<(typeof names)[number], Transport>
const isMcp = (name: string) => name.startsWith('MCP')

const site = siteForAll()
beforeAll(async () => {
  const server = await sharedServer()
  const env = { ...usualEnv, GOSSAMER_DATA_DIR: server.dataDir }
  transports['in process'] = inProcess(env)
  transports['passthrough over REST'] = inProcess({ GOSSAMER_REMOTE_URL: server.url, GOSSAMER_REMOTE_KEY: 'any' })
  transports.REST = overRest(server.url)
  transports['MCP over stdio'] = await overStdio(env)
  transports['MCP over HTTP'] = await overHttp(server.url)
  transports['MCP over stdio, passed through'] = await overStdio({ GOSSAMER_REMOTE_URL: `${server.url}/v2` })
})

afterAll(() => Promise.all(Object.values(transports).map((transport) => transport.close())))

const job = '0190c2a0-0000-7000-8000-000000000000'

/** Name, operation, input and error code. */
const failing: [string, string, () => Record<string, unknown>, string][] = [
  ['an invalid URL', 'scrape', () => ({ url: 'intranet' }), 'BAD_REQUEST'],
  ['a job that is not there', 'scrape_result', () => ({ jobId: job }), 'JOB_NOT_FOUND'],
  [
    'a redirect to a private address',
    'scrape',
    () => ({ url: site.url('/redirect/metadata') }),
    'SCRAPE_ADDRESS_REFUSED',
  ],
  ['a bomb', 'scrape', () => ({ url: site.url('/bomb/br'), maxAge: 0 }), 'SCRAPE_SITE_ERROR'],
  ['a site that never answers', 'scrape', () => ({ url: site.url('/hang'), timeout: 1000 }), 'SCRAPE_TIMEOUT'],
]

/** Replacements for examples that would request the internet or a hanging site. */
const inputs: Record<string, () => Record<string, unknown>> = {
  scrape: () => ({ url: site.url('/product') }),
  browser_open_act: () => ({ url: site.url('/docs'), keep: false }),
  browser_open_execute: () => ({ url: site.url('/docs'), code: 'await page.title()', keep: false }),
  support_ask: () => ({ question: 'Where is the cache kept?' }),
  crawl_params_preview: () => ({ url: site.url('/docs'), prompt: 'Only the blog, at most 50 pages' }),
}

const fieldsOf = ({ output }: Answer) => Object.keys(output ?? {}).toSorted()
/** Operations that create a key, after which the server would refuse callers without one. */
const isOfAdmin = ({ permissions, example }: AnyOperation) => permissions?.(example).includes('admin') ?? false

const closeMade = (transport: Transport, made: Answer) =>
  transport.call('browser_close', { sessionId: made.output?.['id'] })

const inputOf = ({ name, example }: AnyOperation) => inputs[name]?.() ?? (example as Record<string, unknown>)

describe.each(names)('%s', (name) => {
  it('scrapes the same markdown', async () => {
    const [expected, actual] = await Promise.all(
      [transports['in process'], transports[name]].map((transport) =>
        transport.call('scrape', { url: site.url('/article') }),
      ),
    )
    expect(markdownOf(expected ?? {})).toContain('#')
    expect(markdownOf(actual ?? {})).toBe(markdownOf(expected ?? {}))
  })

  it('reads a scrape again by its id', async () => {
    const first = await transports['in process'].call('scrape', { url: site.url('/forum') })
    const data = first.output?.['data'] as { metadata: { scrapeId: string } } | undefined
    const again = await transports[name].call('scrape_result', { jobId: data?.metadata.scrapeId })
    expect(markdownOf(again)).toBe(markdownOf(first))
  })

  it.each(failing)('returns the same code for %s', async (_, operation, input, code) => {
    expect((await transports[name].call(operation, input())).code).toBe(code)
  })
})

/** Answers of each operation in process, to which the other transports are compared. */
const answered = answersOnce()
const inProcessOnce = (operation: AnyOperation) =>
  answered(operation.name, async () => {
    const answer = await transports['in process'].call(operation.name, inputOf(operation))
    if (operation.name === 'browser_create') await closeMade(transports['in process'], answer)
    return answer
  })

/** Every operation over REST, and a random half of them over each other transport; all of them in a full run. */
const triedOver = (name: (typeof names)[number], all: AnyOperation[]) =>
  name === 'REST' ? all : drawn(all, 2, names.indexOf(name))

it.each(names.filter((name) => name !== 'in process'))('%s answers every operation as in process', async (name) => {
  const all = operations.filter((each) => !isOfAdmin(each) && (!isMcp(name) || hasTool(each)))
  for (const operation of triedOver(name, all)) {
    const [expected, actual] = await Promise.all([
      inProcessOnce(operation),
      transports[name].call(operation.name, inputOf(operation)),
    ])
    expect(actual.code, operation.name).toBe(expected.code)
    if (operation.name === 'browser_create') await closeMade(transports[name], actual)
    if (actual.output) expect(fieldsOf(actual)).toEqual(fieldsOf(expected))
  }
})
