import { onTestFinished, test, expect } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readdirSync } from 'node:fs'
import { bin, cleanEnv, tempDir } from '../helpers/program.ts'
import { processesBelow } from '../helpers/processes.ts'

test.runIf(process.platform === 'linux')(
  'a server without keys lists its tools and answers, without starting or writing anything',
  async () => {
    const folder = tempDir()
    onTestFinished(folder.remove)
    const env = cleanEnv({ HOME: folder.path, GOSSAMER_DATA_DIR: `${folder.path}/data` })
    const transport = new StdioClientTransport({ command: process.execPath, args: [bin], env })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    onTestFinished(async () => client.close())

    expect((await client.listTools()).tools.length).toBeGreaterThan(15)
    const { content } = await client.callTool({
      name: 'docs_search',
      arguments: { question: 'How do I limit a crawl to a folder?' },
    })
    expect(JSON.stringify(content)).toContain('crawlEntireDomain')
    expect(processesBelow(transport.pid ?? 0)).toEqual([])
    const { isError } = await client.callTool({ name: 'scrape', arguments: { url: 'http://127.0.0.1:9/' } })
    expect(isError).toBe(true)
    expect(processesBelow(transport.pid ?? 0)).toEqual([])
    expect(readdirSync(folder.path)).toEqual(['data'])
  },
)
