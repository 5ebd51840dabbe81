import { loadPage } from '../../src/engine/scrape/load/load.ts'
import type { LoadedPage } from '../../src/engine/scrape/load/visit-outcome.ts'
import { planPage } from '../../src/engine/scrape/plan.ts'
import { scrapeRequest, type ScrapeCall } from '../../src/engine/scrape/scrape-request.ts'
import { scrape as scrapePage, type ScrapePorts } from '../../src/engine/scrape/scrape.ts'
import type { Document } from '../../src/schema/scrape/document.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { fakeCtx, type World } from './fakes.ts'

/** Returns the document of one scrape. */
export async function scrape(
  ports: ScrapePorts,
  input: ScrapeInput,
  call: ScrapeCall,
  options?: Parameters<typeof scrapeRequest>[2],
): Promise<Document> {
  return (await scrapePage(ports, scrapeRequest(input, call, options))).document
}

/** URL of the page in a fake world. */
export const url = 'https://example.com/a'

/** Returns the document of one scrape in a fake world. */
export const scrapeIn = (
  { ports }: Pick<World, 'ports'>,
  options: object = {},
  call: Partial<Ctx> = {},
): Promise<Document> => scrape(ports, ScrapeInput.parse({ url, ...options }), fakeCtx(call))

/** Loads the page of a fake world from its site. */
export function loadIn(
  { ports }: World,
  options: object = {},
  signal = new AbortController().signal,
): Promise<LoadedPage> {
  const input = ScrapeInput.parse({ url, ...options })
  const team = { id: 'acme', key: null, permissions: [] }
  return loadPage(ports, { input, plan: planPage(input, team.id), team, signal })
}

/** A bot challenge as the answer of a fake world. */
export const wallPage = { status: 403, headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' } }
