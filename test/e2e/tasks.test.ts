import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { bin, cleanEnv, startServer } from '../helpers/program.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { siteForAll, leftOpen, forAll } from '../helpers/for-all.ts'
import { answer, html } from '../helpers/site/route.ts'

const env = { GOSSAMER_DATA_DIR: 'memory', GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_BROWSER_PATH: '/nowhere' }
const page = (links: string) =>
  html(
    `<!doctype html><title>Lamps</title><main><h1>Lamps</h1><p>${'Words about a lamp. '.repeat(30)}</p>${links}</main>`,
  )

const site = siteForAll({
  routes: {
    '/robots.txt': answer(404, {}),
    '/sitemap.xml': answer(404, {}),
    '/lamps/': page('<a href="/lamps/one">One</a> <a href="/lamps/two">Two</a>'),
    '/lamps/*': page(''),
  },
})
const server = forAll(sharedServer, leftOpen)

const transports = {
  stdio: () =>
    new StdioClientTransport({ command: process.execPath, args: [bin], env: cleanEnv(env), stderr: 'ignore' }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)),
}

async function connected(transport: keyof typeof transports): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { enforceStrictCapabilities: true })
  await client.connect(transports[transport]() as Parameters<Client['connect']>[0])
  await client.listTools()
  return client
}

const quick = () => ({ url: site.url('/lamps/'), limit: 3 })
/** Input of a crawl that pauses after each page, so it runs long. */
const slow = () => ({ ...quick(), delay: 30 })

/** Returns all messages about a call as a task that a client of 2025-11-25 receives. */
async function streamed(client: Client, name: string, args: Record<string, unknown>) {
  const messages = []
  const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, {
    task: { ttl: 60_000 },
  })
  for await (const each of stream) messages.push(each)
  return messages
}

describe.each(['stdio', 'HTTP'] as const)('a client of 2025-11-25 over %s', (transport) => {
  test.each([
    ['crawl', () => ({ ...quick(), wait: 60 }), /lamp/i],
    ['batch_scrape', () => ({ urls: [site.url('/lamps/one'), site.url('/lamps/two')] }), /lamp/i],
    ['agent', () => ({ urls: [site.url('/lamps/one')], prompt: 'What is it about?' }), /1 of 1 pages/],
  ])('calls %s as a task, and gets the result of the job', async (name, args, expected) => {
    const client = await connected(transport)
    const messages = await streamed(client, name, args())
    const [first, ...others] = messages
    expect(first).toMatchObject({
      type: 'taskCreated',
      task: { taskId: expect.stringMatching(/^[0-9a-f-]{36}$/), ttl: expect.any(Number), pollInterval: 2000 },
    })
    expect(others.at(-1)).toMatchObject({ type: 'result' })
    expect(JSON.stringify(others.at(-1))).toMatch(expected)
    await client.close()
  })

  test('polls, cancels and waits for a task, and gets its progress', async () => {
    const client = await connected(transport)
    const { tasks } = client.experimental
    const begin = async (args: object) => {
      const { task } = await client.request(
        { method: 'tools/call', params: { name: 'crawl', arguments: { ...args }, task: {} } },
        CreateTaskResultSchema,
      )
      return task.taskId
    }
    const running = await begin(slow())
    expect(await tasks.getTask(running)).toMatchObject({ taskId: running, status: 'working' })
    expect(await tasks.cancelTask(running)).toMatchObject({ taskId: running, status: 'cancelled' })
    await expect(tasks.cancelTask(running)).rejects.toMatchObject({ code: -32_602 })
    const other = await begin(quick())
    const progresses: number[] = []
    const result = await tasks.getTaskResult(other, CallToolResultSchema, {
      onprogress: ({ progress }) => void progresses.push(progress),
    })
    expect(result).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: other } } })
    expect(progresses.length).toBeGreaterThan(0)
    expect(await tasks.getTask(other)).toMatchObject({ status: 'completed' })
    await client.close()
  })

  test('is refused calls that are not tasks', async () => {
    const client = await connected(transport)
    const { tasks } = client.experimental
    await expect(tasks.getTask('0190c2a0-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: -32_602 })
    await expect(tasks.getTask('none')).rejects.toMatchObject({ code: -32_602 })
    expect(await streamed(client, 'scrape', { url: site.url('/lamps/') })).toMatchObject([
      { type: 'error', error: { code: -32_601 } },
    ])
    for (const args of [{ url: 'no address' }, { ...quick(), preview: true, prompt: 'all' }])
      expect(await streamed(client, 'crawl', args)).toMatchObject([{ type: 'error', error: { code: -32_602 } }])
    await client.close()
  })
})

const extension = 'io.modelcontextprotocol/tasks'
type Answer = { result?: Record<string, unknown>; error?: { code: number; data?: unknown } }

/** Sends a request of 2026-07-28, for which the client of the SDK does not support tasks. */
async function ask(
  method: string,
  params: Record<string, unknown>,
  extensions: object = { [extension]: {} },
  { url, key }: { url: string; key?: string } = server,
) {
  const name = params['taskId'] ?? params['name']
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { extensions },
        },
      },
    }),
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return JSON.parse(data) as Answer
}

describe('a client of 2026-07-28 with the extension', () => {
  test('gets a task for a job, and the answer at its end', async () => {
    expect((await ask('server/discover', {})).result).toMatchObject({
      capabilities: { extensions: { [extension]: {} } },
    })
    const { result: started } = await ask('tools/call', { name: 'crawl', arguments: quick() })
    expect(started).toMatchObject({ resultType: 'task', ttlMs: expect.any(Number), pollIntervalMs: 2000 })
    expect(started).not.toHaveProperty('task')
    const taskId = started?.['taskId']
    await expect
      .poll(async () => (await ask('tasks/get', { taskId })).result)
      .toMatchObject({
        resultType: 'complete',
        taskId,
        status: 'completed',
        // The result equals the response of the call without a task.
        result: { resultType: 'complete', content: [{ type: 'text', text: expect.stringContaining('completed') }] },
      })
    expect((await ask('tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({ resultType: 'complete' })
    expect((await ask('tasks/result', { taskId })).error).toMatchObject({ code: -32_601 })
    expect((await ask('tasks/list', {})).error).toMatchObject({ code: -32_601 })
  })

  test('cancels a task, and gets no task for a call that starts no job', async () => {
    const { result } = await ask('tools/call', { name: 'crawl', arguments: slow() })
    const taskId = result?.['taskId']
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'working' })
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' })
    for (const args of [{ url: 'no address' }, { ...quick(), preview: true, prompt: 'all' }])
      expect((await ask('tools/call', { name: 'crawl', arguments: args })).result).toMatchObject({
        resultType: 'complete',
        content: [expect.anything()],
      })
  })

  test('finds no tasks of another team', async () => {
    const { url, stop } = await startServer({ ...env, GOSSAMER_API_KEYS: 'one:key-of-one,two:key-of-two' })
    const as = (key: string, method: string, params: Record<string, unknown>) =>
      ask(method, params, { [extension]: {} }, { url, key })
    const { result } = await as('key-of-one', 'tools/call', { name: 'crawl', arguments: slow() })
    const taskId = result?.['taskId']
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await as('key-of-two', method, { taskId, inputResponses: {} })).error).toMatchObject({ code: -32_602 })
    expect((await as('key-of-one', 'tasks/get', { taskId })).result).toMatchObject({ status: 'working' })
    await stop()
  })

  test('gets no tasks without the extension', async () => {
    const { result } = await ask('tools/call', { name: 'crawl', arguments: quick() }, {})
    expect(result).toMatchObject({ resultType: 'complete' })
    const { error } = await ask('tasks/get', { taskId: '0190c2a0-0000-7000-8000-000000000000' }, {})
    expect(error).toMatchObject({ code: -32_021, data: { requiredCapabilities: { extensions: { [extension]: {} } } } })
  })
})
