import type { RobotsFacts, SitemapFacts } from '../../../contracts/pages/seeding.ts'
import { groupsFor, type Robots } from '../../net/robots/robots.ts'
import type { RobotsCache } from './robots.ts'

/** A robots.txt may have thousands of rules, and an index hundreds of sitemaps: what is kept of them is to be read by people. */
const maxRules = 500
const maxFiles = 50
const maxLength = 1000

/** What is kept of a robots.txt: the rules that hold for this crawl. */
export function robotsFacts(
  robots: Robots,
  { agent, delayMs }: Pick<RobotsCache, 'agent' | 'delayMs'>,
  { url, isObeyed }: { url: string; isObeyed: boolean },
): RobotsFacts {
  let room = maxRules
  const held = groupsFor(robots, agent)
  const groups = held.map(({ agents, rules }) => {
    const kept = rules.filter(({ pattern }) => pattern.length <= maxLength).slice(0, room)
    room -= kept.length
    return { agents: agents.slice(0, maxFiles).map((name) => name.slice(0, maxLength)), rules: kept }
  })
  return {
    url: new URL('/robots.txt', url).href,
    agent,
    isObeyed,
    ...(robots.why && { why: robots.why }),
    groups,
    isCut: rulesIn(held) > rulesIn(groups),
    delayMs: delayMs(robots),
  }
}

const rulesIn = (groups: readonly { rules: readonly unknown[] }[]) =>
  groups.reduce((sum, { rules }) => sum + rules.length, 0)

/** Gathers how each sitemap was read. */
export function gatherSitemaps() {
  const files = new Map<string, { pages: number; fault?: string | undefined }>()
  return {
    read: (url: string, pages: number) => void files.set(url, { ...files.get(url), pages }),
    note: (fault: string, url: string) => void files.set(url, { pages: 0, ...files.get(url), fault }),
    facts(): SitemapFacts {
      const all = [...files].map(([url, { pages, fault }]) => ({ url, urls: pages, fault }))
      return {
        files: all.slice(0, maxFiles),
        more: Math.max(0, all.length - maxFiles),
        urls: all.reduce((sum, { urls }) => sum + urls, 0),
      }
    },
  }
}
