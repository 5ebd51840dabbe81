import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/schema/scrape/document.ts'
import { read } from '../helpers/api.ts'
import { serverForAll, siteForAll } from '../helpers/for-all.ts'
import { httpClient, stdioClient } from '../helpers/mcp-client.ts'

const site = siteForAll()
const server = serverForAll(() => ({ GOSSAMER_PICTURE_LINKS: 'true' }))

const shot = { type: 'screenshot', viewport: { width: 320, height: 200 } }
const steps = { actions: [{ ...shot, quality: 50 }, { type: 'pdf' }] }

const rest = <T>(path: string, body?: object) => read<T>(server.url + path, body)
const scrape = async (more: object = {}) =>
  (await rest<{ data: Document }>('/v2/scrape', { url: site.url('/article'), formats: [shot], ...more })).data

/** Requests a link without a key. */
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

  it('pages of a job link to their pictures, even after a wait', async () => {
    const batch = { urls: [site.url('/article'), site.url('/docs')], formats: [shot], wait: 60 }
    const { id, job } = await rest<{ id: string; job: { data: Document[] } }>('/v2/batch/scrape', batch)
    const links = job.data.map(({ screenshot }) => screenshot)
    expect(links).toEqual([ours(), ours()])
    expect(await Promise.all(links.map(followed))).toEqual([png, png])
    const status = await rest<{ data: Document[] }>(`/v2/batch/scrape/${id}`)
    expect(status.data.map(({ screenshot }) => screenshot)).toEqual(links)
  })
})

it.each([
  ['HTTP', () => httpClient(`${server.url}/mcp`)],
  ['stdio', () => stdioClient(server.env)],
])('over MCP by %s pictures are returned instead of links', async (_, connect) => {
  const client = await connect()
  const scraped = await client.call('scrape', { url: site.url('/article'), formats: [shot], ...steps })
  await client.close()
  expect(JSON.stringify(scraped.content)).not.toContain('/v2/files/')
  expect(scraped.pictures).toEqual(['image/png', 'image/jpeg'])
})
