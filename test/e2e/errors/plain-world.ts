import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissions } from '../../../src/schema/team.ts'
import { tempDir } from '../../helpers/program.ts'
import { startSite } from '../../helpers/site.ts'
import { answer, gone, html } from '../../helpers/site/route.ts'
import { localCertificate } from '../../helpers/site/self-signed.ts'
import type { There } from './one-call.ts'
import { scrapeIdIn, startWorld } from './world.ts'

/** Starts a site and a server without a browser, a model and a working search service, and creates the test data. */
export async function startPlainWorld() {
  const scan = readFileSync(new URL('../../document/pdf/scan.pdf', import.meta.url))
  const site = await startSite({
    routes: {
      '/scan.pdf': answer(200, { 'content-type': 'application/pdf' }, scan),
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed'),
      '/closed/*': html('<p>Closed.</p>'),
      '/silent': ({ response }) => gone(response),
      // A SearXNG that never responds, or responds with an error.
      '/search': ({ url, response }) =>
        url.searchParams.get('q') === 'never' ? gone(response) : void response.writeHead(500).end(),
    },
  })
  const secured = await startSite({ certificate: localCertificate })
  // Another address of this machine, allowed for one team only.
  const home = await startSite()
  const files = tempDir()
  writeFileSync(join(files.path, 'prices.csv'), 'bell,price\nbrass,12\n')
  const teams = {
    trusted: { permissions },
    plain: {},
    poor: { monthlyCredits: 0 },
    homely: { privateHosts: [`127.0.0.1:${home.port}`] },
  }
  const world = await startWorld(teams, {
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port},127.0.0.1:${secured.port},127.0.0.1:1`,
    GOSSAMER_FILE_FOLDERS: files.path,
    GOSSAMER_BROWSER_PATH: '/nowhere/chrome',
    GOSSAMER_PROXIES: 'enhanced:http://127.0.0.1:1',
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    GOSSAMER_SEARXNG_URL: site.origin,
  })
  const url = site.url('/plain')
  const crawled = await world.rest('plain').call('crawl', { url, limit: 1, wait: 60 })
  const unkept = await world.rest('trusted').call('scrape', { url, zeroDataRetention: true })
  const there: There = {
    crawl: String(crawled.output?.['id']),
    unkept: scrapeIdIn(unkept),
    site,
    secured,
    files: files.path,
  }
  return {
    world,
    home,
    there,
    close: async () => {
      await world.close()
      await Promise.all([site.close(), secured.close(), home.close()])
      files.remove()
    },
  }
}
