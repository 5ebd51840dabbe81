import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { tools as offered } from '../../src/operations/index.ts'
import { bin, cleanEnv } from '../helpers/program.ts'
import { usualEnv } from '../helpers/shared-server.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'

const folder = folderForAll()

const site = siteForAll()

/** Calls that create something come first, and those that end it last. */
const rankOf = (name: string) =>
  name === 'browser_create' ? 0 : /_(?:close|stop|cancel)$/.test(name) ? 3 : name.startsWith('crawl_') ? 2 : 1

test('the v1 client lists and calls every tool over stdio', async () => {
  const env = cleanEnv({ ...usualEnv, GOSSAMER_DATA_DIR: folder.path })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin], env, stderr: 'ignore' }))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    offered.map(({ name }) => name).filter((name) => name !== 'browser_frame'),
  )
  const scraped = await client.callTool({ name: 'scrape', arguments: { url: site.url('/article') } })
  const scrapeId = /scrapeId ([\w-]{36})/.exec(JSON.stringify(scraped))?.[1] ?? ''
  const inputs: Record<string, Record<string, unknown>> = {
    scrape: { url: site.url('/docs') },
    parse: { filename: 'a.csv', base64: 'YSxiCjEsMgo=' },
    scrape_result: { jobId: scrapeId },
    map: { url: site.url('/docs'), sitemap: 'skip' },
    search: { query: 'docs' },
    docs_search: { question: 'How do I limit a crawl?' },
    monitor: { action: 'list' },
    support_ask: { question: 'Why did my scrape fail?' },
    batch_scrape: { urls: [site.url('/docs')], wait: 30 },
    agent: { urls: [site.url('/docs')], prompt: 'How is it done?' },
    // Slow enough to be cancelled.
    crawl: { url: site.url('/docs'), crawlEntireDomain: true, limit: 5, delay: 30 },
  }
  const later: Record<string, Record<string, unknown>> = {
    browser_act: { acts: [{ type: 'navigate', url: site.url('/docs') }] },
    browser_execute: { code: 'await page.title()' },
    interact: { code: '1 + 1' },
  }
  const started: Record<string, object> = { interact: { jobId: scrapeId } }
  for (const { name } of tools.toSorted((a, b) => rankOf(a.name) - rankOf(b.name))) {
    const [kind = ''] = name.split('_')
    const input = inputs[name] ?? { ...(name in started || name.includes('_') ? started[kind] : {}), ...later[name] }
    const result = await client.callTool({ name, arguments: input })
    expect(result, name).not.toMatchObject({ isError: true })
    const [id] = /[0-9a-f-]{36}/.exec(JSON.stringify(result)) ?? []
    if (name === 'crawl') started[name] = { id }
    if (name === 'browser_create') started['browser'] = { sessionId: id }
  }
  await client.close()
})
