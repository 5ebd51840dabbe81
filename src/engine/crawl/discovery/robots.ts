import type { Ports } from '../../../contracts/ports.ts'
import { allows, crawlDelayMs, fetchRobots, type Robots } from '../../net/robots/robots.ts'

/** The rules of every host that a crawl meets. */
export type RobotsBook = {
  /** The rules of the site of a URL; asked for once, whatever comes. */
  of(url: string): Promise<Robots>
  /** Whether a URL may be visited, as far as that is known without asking its site. */
  knows(url: string): boolean
  allows(url: string): Promise<boolean>
  delayMs(robots: Robots): number | undefined
}
export type OwnRobotsBook = RobotsBook & {
  /** As `of`, asked for anew. */
  again(url: string): Promise<Robots>
}

type Wish = {
  agent: string | undefined
  /** The origin that the headers are for. */
  home?: string | undefined
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  signal: AbortSignal
}

const firstMs = 10_000
/** It is known by then that the file is there. */
const againMs = 30_000

export function createRobotsBook(
  { fetchPage }: Pick<Ports, 'fetchPage'>,
  userAgent: string,
  wish: Wish,
): OwnRobotsBook {
  const { agent, home, headers, skipTlsVerification, signal } = wish
  const name = agent ?? userAgent
  const asked = new Map<string, Promise<Robots>>()
  const of = (url: string, deadlineMs = firstMs): Promise<Robots> => {
    const { origin } = new URL(url)
    const robots =
      asked.get(origin) ??
      fetchRobots(fetchPage, {
        origin,
        userAgent: name,
        headers: origin === home ? headers : {},
        skipTlsVerification,
        signal,
        deadlineMs,
      })
    asked.set(origin, robots)
    return robots
  }
  return {
    of: (url) => of(url),
    again(url) {
      asked.delete(new URL(url).origin)
      return of(url, againMs)
    },
    knows: (url) => asked.has(new URL(url).origin),
    allows: async (url) => allows(await of(url), name, url),
    delayMs: (robots) => crawlDelayMs(robots, name),
  }
}
