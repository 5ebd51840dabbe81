import type { Ports } from '../../../contracts/ports.ts'
import { allows, crawlDelayMs, fetchRobots, type Robots } from '../../net/robots/robots.ts'

/** The robots.txt rules of every site that a crawl meets. */
export type RobotsCache = {
  /** Whose rules hold: the name of the program, or the one that was asked for. */
  agent: string
  /** The rules of the site of a URL; fetched once, also when that fails. */
  of(url: string): Promise<Robots>
  /** Whether the rules of a URL's site have been requested. */
  knows(url: string): boolean
  allows(url: string): Promise<boolean>
  delayMs(robots: Robots): number | undefined
  /** As `of`, with more time for a site that is slow or asks to wait. */
  patiently(url: string): Promise<Robots>
}

type RobotsCacheOptions = {
  teamId: string
  agent: string | undefined
  /** The only origin that the headers are sent to. */
  home?: string | undefined
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  signal: AbortSignal
}

const usualMs = 10_000
/** A whole crawl depends on the file of its start, and a page that is busy is waited for as long. */
const patientMs = 60_000

export function createRobotsCache(
  { fetchPage }: Pick<Ports, 'fetchPage'>,
  userAgent: string,
  options: RobotsCacheOptions,
): RobotsCache {
  const { teamId, agent, home, headers, skipTlsVerification, signal } = options
  const name = agent ?? userAgent
  const requested = new Map<string, Promise<Robots>>()
  const of = (url: string, deadlineMs = usualMs): Promise<Robots> => {
    const { origin } = new URL(url)
    const robots =
      requested.get(origin) ??
      fetchRobots(fetchPage, {
        origin,
        teamId,
        userAgent: name,
        headers: origin === home ? headers : {},
        skipTlsVerification,
        signal,
        deadlineMs,
      })
    requested.set(origin, robots)
    return robots
  }
  return {
    agent: name,
    of: (url) => of(url),
    patiently: (url) => of(url, patientMs),
    knows: (url) => requested.has(new URL(url).origin),
    allows: async (url) => allows(await of(url), name, url),
    delayMs: (robots) => crawlDelayMs(robots, name),
  }
}
