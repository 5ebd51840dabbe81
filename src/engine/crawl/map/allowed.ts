import type { MapInput, MapLink } from '../../../schema/crawl-schema.ts'
import { createRobotsCache } from '../discovery/robots.ts'
import { mapSite } from './map.ts'
import { type MapCall, type MapPorts, userAgent } from './site.ts'

/** Whether robots.txt allows a program to read a page. The file of each site is asked for once. */
export function robotsCheck(
  ports: Pick<MapPorts, 'fetchPage'>,
  { team, signal }: { team: Pick<MapCall['team'], 'id'>; signal: AbortSignal },
): (url: string) => Promise<boolean> {
  const request = { teamId: team.id, agent: undefined, headers: {}, skipTlsVerification: true, signal }
  return createRobotsCache(ports, userAgent, request).allows
}

/** The links of a site that robots.txt allows to read; `call.warn` tells of the others. Fails as a map does. */
export const mapAllowed = async (ports: MapPorts, input: MapInput, call: MapCall): Promise<MapLink[]> =>
  onlyAllowed(ports, await mapSite(ports, input, call), call)

/** Those of pages found by a program, not named by a person, that robots.txt allows to read. */
export async function onlyAllowed<Page extends { url: string }>(
  ports: Pick<MapPorts, 'fetchPage'>,
  pages: readonly Page[],
  { team, signal, warn }: Pick<MapCall, 'team' | 'signal' | 'warn'>,
): Promise<Page[]> {
  const mayRead = robotsCheck(ports, { team, signal })
  const checked = await Promise.all(pages.map(async (page) => ((await mayRead(page.url)) ? [page] : [])))
  const allowed = checked.flat()
  if (allowed.length < pages.length) warn(`robots.txt forbids ${pages.length - allowed.length} of the pages.`)
  return allowed
}
