import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Document } from '../../src/schema/scrape/document.ts'
import { bin, cleanEnv, startServer } from '../helpers/program.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'

const folder = folderForAll()
let env: Record<string, string>
let server: Awaited<ReturnType<typeof startServer>>
const site = siteForAll()
beforeAll(async () => {
  env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_PERMISSIONS: 'zeroDataRetention',
    GOSSAMER_PICTURE_LINKS: 'true',
  }
  server = await startServer(env)
})
afterAll(async () => {
  await server.stop()
})

const shot = { type: 'screenshot', viewport: { width: 320, height: 200 } }
const steps = { actions: [{ ...shot, quality: 50 }, { type: 'pdf' }] }

async function rest<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}
const scrape = async (more: object = {}) =>
  (await rest<{ data: Document }>('/v2/scrape', { url: site.url('/article'), formats: [shot], ...more })).data

/** Returns the answer of a link, requested without a key. */
async function followed(link: string | undefined) {
  const response = await fetch(link ?? '')
  const bytes = Buffer.from(await response.arrayBuffer())
  return [response.status, response.headers.get('content-type'), bytes.subarray(0, 4).toString('latin1')]
}
const png = [200, 'image/png', '\x89PNG']
const ours = () => expect.stringMatching(new RegExp(`^${server.url}/v2/files/[\\w-]{43}$`))

describe('over REST with picture links', () => {
  it('a screenshot and the results of actions are links to files', async () => {
    const { screenshot, actions } = await scrape(steps)
    const links = [screenshot, actions?.screenshots[0], actions?.pdfs[0]]
    expect(links).toEqual([ours(), ours(), ours()])
    expect(await Promise.all(links.map(followed))).toEqual([
      png,
      [200, 'image/jpeg', '\xff\xd8\xff\xe0'],
      [200, 'application/pdf', '%PDF'],
    ])
  })

  it('pages of a job link to their pictures, including after a wait', async () => {
    const batch = { urls: [site.url('/article'), site.url('/docs')], formats: [shot], wait: 60 }
    const { id, job } = await rest<{ id: string; job: { data: Document[] } }>('/v2/batch/scrape', batch)
    const links = job.data.map(({ screenshot }) => screenshot)
    expect(links).toEqual([ours(), ours()])
    expect(await Promise.all(links.map(followed))).toEqual([png, png])
    const status = await rest<{ data: Document[] }>(`/v2/batch/scrape/${id}`)
    expect(status.data.map(({ screenshot }) => screenshot)).toEqual(links)
  })
})

const transports = {
  HTTP: () => new StreamableHTTPClientTransport(new URL('/mcp', server.url)),
  stdio: () =>
    new StdioClientTransport({ command: process.execPath, args: [bin], env: cleanEnv(env), stderr: 'ignore' }),
}
describe.each(['HTTP', 'stdio'] as const)('over MCP by %s pictures are shown as ever', (name) => {
  const kinds = async (tool: string, args: object) => {
    const client = new Client({ name: 'pictures', version: '1.0.0' })
    await client.connect(transports[name]())
    const { content } = await client.callTool({ name: tool, arguments: { ...args } })
    await client.close()
    expect(JSON.stringify(content)).not.toContain('/v2/files/')
    return content.flatMap((part) => (part.type === 'image' ? [part.mimeType] : []))
  }

  it('pictures of a scrape are links', async () => {
    expect(await kinds('scrape', { url: site.url('/article'), formats: [shot], ...steps })).toEqual([
      'image/png',
      'image/jpeg',
    ])
  })
})
