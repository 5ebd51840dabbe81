import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { says, startModelServer } from '../helpers/model-server.ts'
import { type OfferedTool, toolsOf, wants } from '../helpers/model-tools.ts'
import { cleanEnv, startServer } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'

const folder = join(import.meta.dirname, '../../examples/frameworks')
/** npm writes it when all is installed: `npm ci --prefix examples/frameworks`. */
const areInstalled = existsSync(join(folder, 'node_modules/.package-lock.json'))
const frameworks = ['vercel-ai-sdk', 'langchain', 'openai-agents', 'mastra', 'llamaindex']

let site: Site
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  if (!areInstalled) return
  site = await startSite()
  server = await startServer({ GOSSAMER_DATA_DIR: 'memory', GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
})
afterAll(async () => {
  await server?.stop()
  await site?.close()
})

/** Runs an example with a model that scrapes the page and then answers. What the model was offered and shown comes back. */
async function run(framework: string, env: Record<string, string> = {}) {
  const model = await startModelServer((call, nth) => {
    const scrape = toolsOf(call).find(({ name }) => /^(?:gossamer_)?scrape$/.test(name))
    return nth === 1 && scrape ? wants(call, scrape.name, { url: site.url('/article') }) : says('It is about a lamp.')
  })
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(folder, `${framework}.js`), site.url('/article'), 'What is it about?'],
      {
        env: cleanEnv({
          OPENAI_BASE_URL: model.url('openai'),
          OPENAI_API_KEY: 'none',
          GOSSAMER_DATA_DIR: 'memory',
          GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
          ...env,
        }),
      },
    )
    const [first, second] = model.calls
    return {
      stdout,
      calls: model.calls.length,
      tools: first ? toolsOf(first) : [],
      shown: JSON.stringify(second?.body),
    }
  } finally {
    await model.close()
  }
}

const hasOpenObject = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.some(hasOpenObject)
  if (typeof schema !== 'object' || schema === null) return false
  const { type, properties, additionalProperties } = schema as Record<string, unknown>
  return (
    (type === 'object' && (!properties || Boolean(additionalProperties))) || Object.values(schema).some(hasOpenObject)
  )
}

const names = (some: readonly OfferedTool[]) => some.map(({ name }) => name)

describe.skipIf(!areInstalled).concurrent('in the agent frameworks of examples/frameworks', () => {
  test.each(frameworks)('%s reads a page over stdio and over HTTP', async (framework) => {
    // A server that the example starts beside the one over HTTP could not read the page.
    const overHttp = { GOSSAMER_MCP_URL: `${server.url}/mcp`, GOSSAMER_ALLOW_HOSTS: '' }
    for (const env of [{}, overHttp]) {
      const { stdout, calls, tools, shown } = await run(framework, env)
      expect(stdout.trim()).toBe('It is about a lamp.')
      expect(calls).toBe(2)
      expect(shown).toContain('The lighthouse that learned to listen')
      expect(shown).toMatch(/<untrusted\d+/)
      expect(tools.map(({ name }) => name.replace('gossamer_', ''))).toEqual(
        expect.arrayContaining(['scrape', 'search', 'crawl', 'browser_act']),
      )
    }
  })

  test('a schema is made strict, unless one of its fields takes any object', async () => {
    const { tools } = await run('openai-agents', { STRICT_SCHEMAS: '1' })
    expect(names(tools.filter(({ strict }) => !strict))).toEqual(
      names(tools.filter(({ parameters }) => hasOpenObject(parameters))),
    )
    expect(tools.filter(({ strict }) => strict).length).toBeGreaterThan(10)
  })
})
