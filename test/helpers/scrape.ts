import { scrapeRequest, type ScrapeCall } from '../../src/engine/scrape/scrape-request.ts'
import { scrape as scrapePage, type ScrapePorts } from '../../src/engine/scrape/scrape.ts'
import type { Document } from '../../src/schema/scrape/document.ts'
import type { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'

/** Returns the document of one scrape. */
export async function scrape(
  ports: ScrapePorts,
  input: ScrapeInput,
  call: ScrapeCall,
  options?: Parameters<typeof scrapeRequest>[2],
): Promise<Document> {
  return (await scrapePage(ports, scrapeRequest(input, call, options))).document
}
