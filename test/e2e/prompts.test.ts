import { expect, it } from 'vitest'
import { connect } from '../mcp/clients.ts'
import { bin } from '../helpers/program.ts'
import { forAll, folderForAll, siteForAll } from '../helpers/for-all.ts'

const folder = folderForAll()

const site = siteForAll()
const client = forAll(() => {
  const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
  return connect('v2 legacy', { command: [process.execPath, bin], env })
})

async function scraped(path: string): Promise<string> {
  const { content } = await client.call('scrape', { url: site.url(path) })
  return /scrapeId ([\w-]{36})/.exec(JSON.stringify(content))?.[1] ?? 'none'
}

type Ref = { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string }

async function proposed(ref: Ref, name: string): Promise<string[]> {
  return (await client.sdk.complete({ ref, argument: { name, value: '' } })).completion.values
}

it('completions list the ids of jobs, newest first, and of open sessions only', async () => {
  const first = await scraped('/article')
  const second = await scraped('/docs')
  expect(await proposed({ type: 'ref/resource', uri: 'gossamer://scrape/{jobId}' }, 'jobId')).toEqual([second, first])
  expect(await proposed({ type: 'ref/prompt', name: 'explain_failure' }, 'job')).toEqual([second, first])
  expect(await proposed({ type: 'ref/resource', uri: 'browser-session://{sessionId}' }, 'sessionId')).toEqual([])
})
