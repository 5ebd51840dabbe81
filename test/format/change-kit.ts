import { afterAll, beforeAll } from 'vitest'
import type { z } from 'zod'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { failure } from '../../src/kernel/error.ts'
import type { Document } from '../../src/schema/scrape/document.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { scrape as scrapePage } from '../helpers/scrape.ts'
import { startSite } from '../helpers/site.ts'
import { changeRoutes } from '../helpers/site/change.ts'
import { tempStore } from '../store/kit.ts'
import { ruleForAll } from '../net/rule-for-all.ts'

type Options = Partial<z.input<typeof ScrapeInput>> & { tracking?: object; teamId?: string; signal?: AbortSignal }

const renderPage = () => Promise.reject(failure('BROWSER_UNAVAILABLE'))

/**
 * Scrapes a site with changing pages. All parts are real except the browser, which is missing.
 */
async function openChanges() {
  const site = await startSite({ routes: changeRoutes })
  const { fetchPage, close } = createFetcher({ userAgent: 'tests', ruleOf: ruleForAll([`127.0.0.1:${site.port}`]) })
  const readHtml = createReader()
  let pages = 0

  /** Starts a world without snapshots. */
  async function begin() {
    const { store, clock } = await tempStore()
    const ports = { ...fakeWorld().ports, clock, ...store, fetchPage, readHtml, renderPage }
    async function scrape(
      url: string,
      { tracking = {}, teamId = 'acme', signal = new AbortController().signal, ...options }: Options = {},
      plan: Parameters<typeof scrapePage>[3] = {},
    ): Promise<Document> {
      const formats = ['markdown', { type: 'changeTracking', ...tracking }]
      const call = fakeCtx({ signal, startedAt: clock.now(), team: { id: teamId, key: null, permissions: [] } })
      return scrapePage(ports, ScrapeInput.parse({ url, formats, ...options }), call, plan)
    }
    /** Returns the status of each of several visits with these options, one second apart. */
    async function statusesOf(url: string, ...visits: Options[]) {
      const seen: (string | undefined)[] = []
      for (const options of visits) {
        seen.push((await scrape(url, options)).changeTracking?.changeStatus)
        clock.advance(1000)
      }
      return seen
    }
    return { clock, ports, scrape, statusesOf }
  }

  /** Returns the URL of a new page that shows these steps, one per visit. */
  const addressOf = (...steps: string[]) =>
    site.url(`/change/steps/${(pages += 1)}?${new URLSearchParams(steps.map((step) => ['step', step])).toString()}`)

  return {
    site,
    begin,
    steps: addressOf,
    /** Returns the change tracking result of each visit to a page that shows these steps. */
    async statuses(...steps: string[]) {
      const { statusesOf } = await begin()
      // The basic proxy makes one request per visit.
      return statusesOf(addressOf(...steps), ...steps.map((): Options => ({ proxy: 'basic' })))
    },
    async close() {
      await readHtml.close()
      await close()
      await site.close()
    },
  }
}

/** Opens one such world for all tests of the file. */
export function changesForAll(): Awaited<ReturnType<typeof openChanges>> {
  const changes = {} as Awaited<ReturnType<typeof openChanges>>
  beforeAll(async () => void Object.assign(changes, await openChanges()))
  afterAll(() => changes.close())
  return changes
}
