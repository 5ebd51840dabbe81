import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { isRecord } from '../../src/util/json.ts'
import { type ModelScript, says, startModelServer } from '../helpers/model-server.ts'
import { toolsOf, wants } from '../helpers/model-tools.ts'
import { cleanEnv } from '../helpers/program.ts'
import { sharedServer, type SharedServer } from '../helpers/shared-server.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { strictFaults } from '../helpers/strict-schema.ts'

const folder = join(import.meta.dirname, '../../examples/frameworks')
/** File that exists after `npm ci --prefix examples/frameworks`. */
const areInstalled = existsSync(join(folder, 'node_modules/.package-lock.json'))
const frameworks = ['vercel-ai-sdk', 'langchain', 'openai-agents', 'mastra', 'llamaindex']

let server: SharedServer
const site = siteForAll()
beforeAll(async () => {
  if (!areInstalled) return
  server = await sharedServer()
})

/** Starts a model that scrapes the page and then answers. */
const scrapes: ModelScript = (call, nth) => {
  const scrape = toolsOf(call).find(({ name }) => /^(?:gossamer_)?scrape$/.test(name))
  return nth === 1 && scrape ? wants(call, scrape.name, { url: site.url('/article') }) : says('It is about a lamp.')
}

/** Runs an example with a scripted model. Returns the output and the requests to the model. */
async function run(framework: string, env: Record<string, string> = {}, script = scrapes) {
  const model = await startModelServer(script)
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
    return { stdout, calls: model.calls }
  } finally {
    await model.close()
  }
}

/** Fills in all fields of a strict schema, with null for missing ones, like a model with structured output. */
function written(schema: unknown, values: unknown): unknown {
  const { properties, items } = schema as Record<string, unknown>
  if (Array.isArray(values)) return values.map((each) => written(items, each))
  if (!isRecord(properties) || !isRecord(values)) return values ?? null
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, written(each, values[name])]))
}

describe.skipIf(!areInstalled).concurrent('the agent framework in examples/frameworks', () => {
  test.each(frameworks)('%s reads a page over stdio and over HTTP', async (framework) => {
    // A server that the example starts itself could not read the page.
    const overHttp = { GOSSAMER_MCP_URL: `${server.url}/mcp`, GOSSAMER_ALLOW_HOSTS: '' }
    for (const env of [{}, overHttp]) {
      const { stdout, calls } = await run(framework, env)
      expect(stdout.trim()).toBe('It is about a lamp.')
      expect(calls).toHaveLength(2)
      const shown = JSON.stringify(calls[1]!.body)
      expect(shown).toContain('The lighthouse that learned to listen')
      expect(shown).toMatch(/<untrusted\d+/)
      // Models behind the OpenAI API refuse a link that was converted into a file.
      expect(shown).not.toContain('"type":"file"')
      expect(toolsOf(calls[0]!).map(({ name }) => name.replace('gossamer_', ''))).toEqual(
        expect.arrayContaining(['scrape', 'search', 'crawl', 'browser_act']),
      )
    }
  })

  test('the Agents SDK accepts every tool as strict, and the server accepts its calls', async () => {
    const page = site.url('/article')
    const steps: [tool: string, values: object, shown: RegExp][] = [
      ['scrape', { url: page }, /The lighthouse that learned to listen/],
      ['scrape', { url: page, headers: '{"X-Test":"1"}' }, /The lighthouse that learned to listen/],
      ['crawl', { url: page, limit: 1 }, /crawl_status/],
      ['search', { query: 'lighthouse', sources: ['web'] }, /lighthouse/i],
      ['browser_act', { url: page, acts: [{ type: 'scroll' }, { type: 'wait', milliseconds: 10 }] }, /e\d+/],
    ]
    const overHttp = { GOSSAMER_MCP_URL: `${server.url}/mcp`, GOSSAMER_ALLOW_HOSTS: '' }
    for (const transport of [{ GOSSAMER_SEARCH_PROVIDERS: 'local' }, overHttp]) {
      const { calls, stdout } = await run('openai-agents', { STRICT_SCHEMAS: '1', ...transport }, (call, nth) => {
        const [name = '', values] = steps[nth - 1] ?? []
        const tool = toolsOf(call).find((each) => each.name === name)
        return tool ? wants(call, name, written(tool.parameters, values) as object) : says('Done.')
      })
      expect(stdout.trim()).toBe('Done.')
      const tools = toolsOf(calls[0]!)
      expect(tools.length).toBeGreaterThan(20)
      for (const { name, strict, parameters } of tools) {
        expect(strict, name).toBe(true)
        expect(strictFaults(parameters), name).toEqual([])
      }
      for (const [at, [name, , shown]] of steps.entries()) {
        const answer = JSON.stringify((calls[at + 1]!.body['messages'] as unknown[]).at(-1))
        expect(answer, name).toMatch(shown)
        expect(answer, name).not.toMatch(/BAD_REQUEST|Read .* as absent/)
      }
    }
  })
})
