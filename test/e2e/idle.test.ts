import { readdirSync } from 'node:fs'
import { onTestFinished, test, expect } from 'vitest'
import { stdioClient } from '../helpers/mcp-client.ts'
import { processesBelow } from '../helpers/processes.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir } from '../helpers/program.ts'

test.runIf(process.platform === 'linux')(
  'a server without keys lists its tools and answers, without starting or writing anything',
  async () => {
    const folder = tempDir()
    onTestFinished(folder.remove)
    const client = forTest(await stdioClient({ HOME: folder.path, GOSSAMER_DATA_DIR: `${folder.path}/data` }))

    expect((await client.sdk.listTools()).tools.length).toBeGreaterThan(15)
    const { text } = await client.call('docs_search', { question: 'How do I limit a crawl to a folder?' })
    expect(text).toContain('crawlEntireDomain')
    expect(processesBelow(client.pid)).toEqual([])
    expect((await client.call('scrape', { url: 'http://127.0.0.1:9/' })).isError).toBe(true)
    expect(processesBelow(client.pid)).toEqual([])
    expect(readdirSync(folder.path)).toEqual(['data'])
  },
)
