import { AppError } from '../../../kernel/error.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { MapInput } from '../../../schema/crawl-schema.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { mapSite } from '../map/map.ts'
import type { MapCall, MapPorts } from '../map/site.ts'
import { decoded } from '../scope/encoding.ts'
import { createPatterns, type PatternFields } from '../scope/patterns.ts'

export type LookPorts = MapPorts & Pick<Ports, 'account'>
/** The site of a prompt, and how it is asked for its pages. */
export type Place = Partial<Pick<MapInput, 'headers' | 'location'>> & { url: string }

const mostPages = 1000
const maxMs = 10_000

/** Addresses of the site, as a short look finds them; none where the site does not answer in time. Rejects only when the call ends. */
export async function knownPages(
  ports: LookPorts,
  { url, headers, location }: Place,
  call: MapCall,
): Promise<string[]> {
  const late = AbortSignal.any([call.signal, AbortSignal.timeout(maxMs)])
  const input = MapInput.parse({ url, headers, location, includeSubdomains: false, limit: mostPages, timeout: maxMs })
  // What a map warns of is told again by the crawl.
  const quiet: MapCall = { ...call, startedAt: ports.clock.now(), progress: () => {}, warn: () => {} }
  try {
    const leave = await ports.account.enter(call.team.id, late)
    try {
      return (await mapSite(ports, input, quiet)).map((link) => link.url)
    } finally {
      leave()
    }
  } catch (thrown) {
    if (call.signal.aborted) throw thrown
    if (thrown instanceof AppError || late.aborted) return []
    throw thrown
  }
}

/** A folder of the site as it is written in addresses, such as `/blog`, and how many of the known pages lie in it. */
export type Section = { path: string; pages: number }

const maxDepth = 2
const mostSections = 80
const longestPath = 100

/** The first segments of the paths, and the second ones that several pages share; the largest first. */
export function sectionsOf(urls: readonly string[]): Section[] {
  const folders = urls.flatMap((url) => {
    const segments = (URL.parse(url)?.pathname ?? '/').split('/').filter((each) => each !== '')
    return Array.from({ length: Math.min(maxDepth, segments.length) }, (_, at) => segments.slice(0, at + 1).join('/'))
  })
  return [...Map.groupBy(folders, (path) => path)]
    .map(([path, { length }]) => ({ path: `/${path}`, pages: length }))
    .filter(({ path, pages }) => path.length <= longestPath && (pages > 1 || path.lastIndexOf('/') === 0))
    .toSorted((one, other) => other.pages - one.pages)
    .slice(0, mostSections)
}

/** A line for each, as people read it; the paths are the site's words. */
export const listed = (sections: readonly Section[]): string =>
  sections.map(({ path, pages }) => `${sanitiseLine(decoded(path) ?? path)} (${pages} pages)`).join('\n')

/** Whether patterns take an address; `warn` hears of those that are slow. Fails with BAD_REQUEST for a pattern that is none. */
export async function takes(
  { includePaths = [], excludePaths = [] }: { [K in keyof PatternFields]?: PatternFields[K] | undefined },
  warn: (text: string) => void = () => {},
) {
  const judge = await createPatterns({ includePaths, excludePaths, regexOnFullURL: false }, warn)
  return (address: string): boolean => {
    const url = URL.parse(address)
    return url !== null && judge(url, url.href) === undefined
  }
}
