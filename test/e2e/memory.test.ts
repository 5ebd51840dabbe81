import { describe, expect, it } from 'vitest'
import { read } from '../helpers/api.ts'
import { forAll, serverForAll } from '../helpers/for-all.ts'
import { memoryOf } from '../helpers/processes.ts'
import { sendPage, smallSite } from '../crawl/kit.ts'

const pages = 250
const links = 40_000
const huge = Array.from({ length: links }, (_, at) => `<p>${at}: <a href="/item/${at}?n=${at * 7}">Item ${at}</a></p>`)

const site = forAll(() =>
  smallSite({
    '/huge': (_, response) => response.setHeader('content-type', 'text/html').end(`<main>${huge.join('')}</main>`),
    '/': Array.from({ length: pages - 1 }, (_, at) => `/page/${at}`),
    '*': ({ pathname }, response) => sendPage(response, pathname, ['/', '/page/1'], 2000),
  }),
)
const server = serverForAll()

const ask = <T>(path: string, body?: object) => read<T>(server.url + path, body)
const residentMb = () => memoryOf(server.program.child.pid ?? 0) / 1024 ** 2

const maxGrownMb = 60
const patience = { interval: 500 }

describe.runIf(process.platform === 'linux')('the memory of a server', () => {
  it('is released after a huge page, and after a crawl', async () => {
    await ask('/v2/scrape', { url: site.url('/page/1'), maxAge: 0 })
    const before = residentMb()
    const grown = () => Math.max(0, residentMb() - before)

    const page = { url: site.url('/huge'), formats: ['markdown', 'html', 'links'], onlyMainContent: false, maxAge: 0 }
    const { data } = await ask<{ data: { links: string[] } }>('/v2/scrape', page)
    expect(data.links).toHaveLength(links)
    expect(grown()).toBeGreaterThan(maxGrownMb)
    await expect.poll(grown, patience).toBeLessThan(maxGrownMb)

    const { id } = await ask<{ id: string }>('/v2/crawl', { url: site.url('/'), scrapeOptions: { maxAge: 0 } })
    const state = () => ask<{ status: string; completed: number }>(`/v2/crawl/${id}?limit=1`)
    await expect.poll(state, { timeout: 120_000 }).toMatchObject({ status: 'completed', completed: pages })
    await expect.poll(grown, patience).toBeLessThan(maxGrownMb)
  })
})
