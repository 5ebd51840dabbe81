/** `npm run try [URL]`: builds the program, starts it as a client would, lists its tools and scrapes a page over MCP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bundle } from './build.ts'
import { startSampleSite } from './sample-site.ts'

process.chdir(dirname(import.meta.dirname))
const given = process.argv[2]
const site = given === undefined ? await startSampleSite() : undefined
const dataDir = mkdtempSync(join(tmpdir(), 'gossamer-try-'))

await bundle()
console.log('Built dist/. Starting the server over stdio.')
const client = new Client({ name: 'gossamer-try', version: '1.0.0' })
const env = { GOSSAMER_DATA_DIR: dataDir, ...(site && { GOSSAMER_ALLOW_HOSTS: site.host }) }
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['bin/gossamer.cjs'], env }))
try {
  const { tools } = await client.listTools()
  console.log(`\nTools: ${tools.map(({ name }) => name).join(', ')}`)
  const url = given ?? site?.url ?? ''
  console.log(`\nscrape ${url}\n`)
  const { content, isError } = await client.callTool({ name: 'scrape', arguments: { url } })
  for (const part of content) if (part.type === 'text') console.log(part.text)
  process.exitCode = isError ? 1 : 0
} finally {
  await client.close()
  site?.close()
  rmSync(dataDir, { recursive: true, force: true })
}
