import type { MapInput, MapLink } from '../../../schema/map.ts'
import { createRobotsCache } from '../discovery/robots.ts'
import { mapSite } from './map.ts'
import { type MapCall, type MapPorts, userAgent } from './site.ts'

/** The links of a site that robots.txt allows to read; `call.warn` tells of the others. Fails as a map does. */
export async function mapAllowed(ports: MapPorts, input: MapInput, call: MapCall): Promise<MapLink[]> {
  const links = await mapSite(ports, input, call)
  const request = { agent: undefined, headers: {}, skipTlsVerification: true, signal: call.signal }
  const robots = createRobotsCache(ports, userAgent, request)
  const checked = await Promise.all(links.map(async (link) => ((await robots.allows(link.url)) ? [link] : [])))
  const allowed = checked.flat()
  if (allowed.length < links.length) call.warn(`robots.txt forbids ${links.length - allowed.length} of the pages.`)
  return allowed
}
