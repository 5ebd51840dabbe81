import { test as base } from 'vitest'
import { type Agent, openLive } from './live.ts'

/** All tests share one browser; each has its own agent. */
export const test = base
  .extend<{ live: Live }>({
    live: [
      // oxlint-disable-next-line no-empty-pattern -- vitest requires a pattern
      async ({}, use) => {
        const live = await openLive()
        await use(live)
        await live.close()
      },
      { scope: 'worker' },
    ],
  })
  .extend<{ agent: Agent }>({
    agent: async ({ live }, use) => {
      const agent = await live.agent()
      await use(agent)
      await agent.close()
    },
  })
type Live = Awaited<ReturnType<typeof openLive>>
