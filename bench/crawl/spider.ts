import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant } from './contestant.ts'

/** Required silence after the end of a crawl, because its last pages arrive separately. */
const quietMs = 200

/** A crawler in Rust, used without markdown. It discovers the pages itself, up to its budget. */
export const spider: Contestant = {
  id: 'spider',
  name: '@spider-rs/spider-rs 0.0.157',
  makes: 'html',
  finds: 'found',
  async load() {
    const { Website } = await import('@spider-rs/spider-rs')
    return async ({ origin, pages }, take) => {
      const site = new Website(`${origin}/`).withBudget({ '*': pages }).withRespectRobotsTxt(false).build()
      let lastAt = performance.now()
      await site.crawl((_, page) => {
        lastAt = performance.now()
        take({ url: page.url, text: page.content, links: page.links })
      })
      while (performance.now() - lastAt < quietMs) await sleep(quietMs / 4)
    }
  },
}
