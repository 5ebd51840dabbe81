import type { MapPorts, Site } from './site.ts'

const most = 10_000

/** Takes in the pages of the site that the team has read before, behind what the site lists itself. */
export async function takeKnown({ index }: Pick<MapPorts, 'index'>, { input, call, found }: Site): Promise<void> {
  if (input.ignoreCache || input.sitemap === 'only' || found.isFull()) return
  const reach = input.includeSubdomains ? 'with sub-domains' : 'host'
  const { hostname } = new URL(input.url)
  // They are a welcome addition, without which the map is a map all the same.
  const known = await index.urlsOf(call.team.id, hostname, reach, most).catch(() => [])
  for (const { url, title } of known) found.add(url, 'link', title)
}
