import { expect } from 'vitest'
import { readBranding } from '../../../src/engine/browser/branding/read-branding.ts'
import { waitUntilStable } from '../../../src/engine/browser/page/wait-until-stable.ts'
import { openTab } from '../../../src/engine/browser/pool/browser-context.ts'
import { Branding } from '../../../src/schema/scrape/branding-schema.ts'
import { startSite } from '../../helpers/site.ts'
import { brandRoutes } from '../../helpers/site/brands.ts'
import type { Route } from '../../helpers/site/route.ts'
import { shareHere } from './shared.ts'

const never = new AbortController().signal

type BrandingReader = {
  /** Reads the branding of a page of the site at 1280 × 800, without the origin in URLs. */
  at(path: string): Promise<Branding>
  /** Reads the branding of a page with this source. */
  of(source: string, signal?: AbortSignal): Promise<Branding>
  close(): Promise<void>
}

/** Opens a browser and a site to read branding. */
export async function openBrandingReader(): Promise<BrandingReader> {
  const sources: string[] = []
  const sourceRoute: Route = ({ url, response }) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(sources[Number(url.searchParams.get('nth'))])
  }
  const site = await startSite({ routes: { ...brandRoutes, '/source': sourceRoute } })
  const browser = await shareHere()

  async function at(path: string, signal = never): Promise<Branding> {
    const { tab, close } = await openTab(browser.connection, {}, never)
    try {
      const window = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false }
      await tab.session.send('Emulation.setDeviceMetricsOverride', window)
      await tab.session.send('Page.navigate', { url: site.url(path) })
      await waitUntilStable(tab, {}, never)
      const branding = await readBranding(tab, signal)
      expect(Branding.parse(branding), 'matches the schema').toEqual(branding)
      return JSON.parse(JSON.stringify(branding).replaceAll(site.origin, '')) as Branding
    } finally {
      await close()
    }
  }

  return {
    at,
    of: (source, signal) => at(`/source?nth=${sources.push(source) - 1}`, signal),
    async close() {
      await browser.close()
      await site.close()
    },
  }
}
