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
 * Scrapes of a site whose pages change, with a real database and everything else real but the browser, which is not
 * there.
 */
async function openChanges() {
  const site = await startSite({ routes: changeRoutes })
  const { fetchPage, close } = createFetcher({
    userAgent: 'tests',
    ruleOf: ruleForAll([`127.0.0.1:${site.port}`]),
  })
  const readHtml = createReader()
  let pages = 0

  /** A world without a past. */
  async function begin() {
    const { store, clock } = await tempStore()
    const ports = { ...fakeWorld().ports, clock, ...store, fetchPage, readHtml, renderPage }
    return {
      clock,
      ports,
      async scrape(
        url: string,
        { tracking = {}, teamId = 'acme', signal = new AbortController().signal, ...options }: Options = {},
        plan: Parameters<typeof scrapePage>[3] = {},
      ): Promise<Document> {
        const formats = ['markdown', { type: 'changeTracking', ...tracking }]
        const call = fakeCtx({ signal, startedAt: clock.now(), team: { id: teamId, key: null, permissions: [] } })
        return scrapePage(ports, ScrapeInput.parse({ url, formats, ...options }), call, plan)
      },
    }
  }

  /** The address of a page that shows these steps, and of no other. */
  const addressOf = (...steps: string[]) =>
    site.url(`/change/steps/${(pages += 1)}?${new URLSearchParams(steps.map((step) => ['step', step])).toString()}`)

  return {
    site,
    begin,
    steps: addressOf,
    /** Returns the change tracking result of each visit to a page that shows these steps. */
    async statuses(...steps: string[]) {
      const { scrape, clock } = await begin()
      const url = addressOf(...steps)
      const seen: (string | undefined)[] = []
      for (const _ of steps) {
        // With the basic proxy only, so that a visit is one request.
        seen.push((await scrape(url, { proxy: 'basic' })).changeTracking?.changeStatus)
        clock.advance(1000)
      }
      return seen
    },
    async close() {
      await readHtml.close()
      await close()
      await site.close()
    },
  }
}

/** The same for all tests of the file. */
export function changesForAll(): Awaited<ReturnType<typeof openChanges>> {
  const changes = {} as Awaited<ReturnType<typeof openChanges>>
  beforeAll(async () => void Object.assign(changes, await openChanges()))
  afterAll(() => changes.close())
  return changes
}
