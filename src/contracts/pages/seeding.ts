/** What robots.txt and the sitemaps said when a crawl was seeded. It is kept, so that whoever asks later need not ask the site. */
export type SeedingFacts = { robots: RobotsFacts; sitemaps: SitemapFacts }

export type RobotsFacts = {
  url: string
  /** The name whose rules hold. */
  agent: string
  isObeyed: boolean
  /** The site could not say, so nothing may be visited. */
  why?: 'unreachable' | 'redirects'
  /** The groups of rules that hold for that name. */
  groups: readonly RobotsGroupFacts[]
  /** There are more rules than are kept. */
  isCut: boolean
  delayMs?: number | undefined
}
export type RobotsGroupFacts = {
  agents: readonly string[]
  rules: readonly { kind: 'allow' | 'disallow'; pattern: string }[]
}

export type SitemapFacts = {
  /** In the order in which they were read. */
  files: readonly { url: string; urls: number; fault?: string | undefined }[]
  /** How many more were read. */
  more: number
  /** Of all files, as far as the limit needed. */
  urls: number
}
