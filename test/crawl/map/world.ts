import type { PageRequest } from '../../../src/contracts/fetch.ts'
import { mapSite } from '../../../src/engine/crawl/map/map-site.ts'
import { readHtml } from '../../../src/engine/html/page/read-parts.ts'
import { MapInput } from '../../../src/schema/crawl-schema.ts'
import { fakeCtx, fakeWorld } from '../../helpers/fakes.ts'
import type { PageContent } from '../../../src/contracts/page-content.ts'

type Answer = { status?: number; body?: string; headers?: Record<string, string>; url?: string }
type Page = string | Answer | ((request: PageRequest) => Promise<Answer>)

/** A page of links, each with a text. */
export const linking = (links: Record<string, string>, title = 'A page', description = '') =>
  `<!doctype html><title>${title}</title><meta name="description" content="${description}"><main><h1>${title}</h1>
  <p>${'Some words of the page that are long enough to be read as its text. '.repeat(4)}</p>
  ${Object.entries(links)
    .map(([href, text]) => `<a href="${href}">${text}</a>`)
    .join(' ')}</main>`

export const sitemap = (...urls: string[]): Answer => ({
  body: `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
  headers: { 'content-type': 'application/xml' },
})

export const many = (count: number, base = 'https://ex.com/p/') =>
  Array.from({ length: count }, (_, at) => `${base}${at}`)

/** Never answers; ends with its request. */
export const silent = ({ signal }: PageRequest): Promise<never> =>
  new Promise((_, refuse) => {
    if (signal.aborted) refuse(signal.reason)
    signal.addEventListener('abort', () => refuse(signal.reason), { once: true })
  })

/** Pages by full address, whose HTML is read for real. Other addresses return 404. */
export function worldOf(pages: Record<string, Page>) {
  const world = fakeWorld(async (request) => {
    const page = pages[request.url] ?? { status: 404, body: '<title>Not found</title><p>There is no such page.</p>' }
    const answer = typeof page === 'function' ? await page(request) : page
    return typeof answer === 'string' ? { body: answer } : answer
  })
  const ports = {
    ...world.ports,
    readHtml: async (request: Parameters<typeof readHtml>[0]) => readHtml(request) as PageContent,
  }
  const ctx = fakeCtx()
  const map = (input: Partial<MapInput> = {}) =>
    mapSite(ports, MapInput.parse({ url: 'https://ex.com/', ...input }), ctx)
  return {
    ...world,
    ports,
    ctx,
    map,
    urls: async (input: Partial<MapInput> = {}) => (await map(input)).map(({ url }) => url),
    requested: () => world.fetched.map(({ url }) => url),
    warnings: ctx.warnings,
  }
}
