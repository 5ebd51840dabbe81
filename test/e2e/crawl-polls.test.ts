import { expect, test } from 'vitest'
import { isFull } from '../attack/hostile.ts'
import { read } from '../helpers/api.ts'
import { folderForAll, forAll, siteForAll } from '../helpers/for-all.ts'
import { startServer } from '../helpers/program.ts'
import { manyPages } from './crawl-pages.ts'

const pages = 60
const polls = isFull ? 300 : 75
const dir = folderForAll()
const site = siteForAll({ routes: manyPages(pages).routes })
const env = () => ({
  GOSSAMER_DATA_DIR: dir.path,
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_CRAWL_HOST_CONCURRENCY: '4',
})
const first = forAll(() => startServer(env()))
/** Shares the crawls with the first server, so each also reads pages that the other has written. */
const second = forAll(() => startServer(env()))

type Status = { status: string; completed: number; data: unknown[]; next?: string }

/** Polls the whole crawl until its end. */
async function pollToTheEnd(server: string, id: string): Promise<Status[]> {
  const seen: Status[] = []
  do seen.push(await read<Status>(`${server}/v2/crawl/${id}?limit=100`))
  while (seen.at(-1)?.status === 'scraping')
  return seen
}

test('a status contains all documents that it counts, however often it is polled', async () => {
  const seen: Status[] = []
  while (seen.length < polls) {
    const { id } = await read<{ id: string }>(`${first.url}/v2/crawl`, {
      url: site.url('/many/'),
      scrapeOptions: { maxAge: 0 },
    })
    const all = await Promise.all([first, second].flatMap(({ url }) => [pollToTheEnd(url, id), pollToTheEnd(url, id)]))
    for (const last of all.map((each) => each.at(-1))) {
      expect(last).toMatchObject({ status: 'completed', completed: pages + 1 })
      expect(last?.next).toBeUndefined()
    }
    seen.push(...all.flat())
  }
  const short = seen.filter(({ completed, data }) => data.length !== completed)
  expect(short.map(({ status, completed, data }) => ({ status, completed, documents: data.length }))).toEqual([])
})
