import { localTeam } from '../../app/app.ts'
import { type CrawlPlanFacts, planOf, reasonsOf } from '../../engine/crawl/explain/explain.ts'
import type { CommandContext } from '../command.ts'
import { harmless } from '../terminal.ts'
import type { CrawlExplanation, CrawlPlanSaid, From } from './crawl-facts.ts'
import { planText, skippedText } from './crawl-text.ts'

export type CrawlExplainer = {
  /** Called at each look at the crawl: a person reads the plan as soon as the site has said its part. */
  looked(id: string): Promise<void>
  /** Says why each URL was skipped that was. */
  ended(id: string): Promise<void>
}

/** Says on stderr by what a crawl goes, and in the end what it left out. A remote service tells its answer alone. */
export function createCrawlExplainer(context: CommandContext, say: (text: string) => void): CrawlExplainer {
  const { app, config, flags, terminal, signal } = context
  const isForPerson = terminal.isInteractive && !flags.json
  const isRemote = config.remoteUrl !== undefined
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '' })
  let isTold = false

  const said = (facts: CrawlPlanFacts): CrawlPlanSaid => ({
    ...facts,
    options: facts.options.map(({ origin, ...option }) => ({ ...option, origin: originOf(option.name, origin) })),
    limits: { ...facts.limits, ofOneHost: config.crawlHostConcurrency },
  })

  function originOf(name: string, origin: CrawlPlanFacts['options'][number]['origin']): From {
    return name === 'limit' && origin.from === 'caller' && flags.limit !== undefined
      ? { from: 'flag', flag: '--limit' }
      : origin
  }

  function tellPlan(plan: CrawlPlanFacts): void {
    if (isTold) return
    isTold = true
    say(harmless(planText(said(plan))))
  }

  return {
    async looked(id) {
      if (isTold || isRemote || !isForPerson) return
      const plan = await planOf(id, ctx)
      if (plan.seeding) tellPlan(plan)
    },
    async ended(id) {
      if (isRemote && isForPerson) return say('A remote service crawls, and tells its answer alone.\n')
      if (isRemote) return say(`${JSON.stringify({ explanation: { id, isRemote } })}\n`)
      const { skipped, ...plan } = await reasonsOf(id, ctx)
      const explanation: CrawlExplanation = { ...said(plan), skipped }
      if (!isForPerson) return say(`${JSON.stringify({ explanation })}\n`)
      tellPlan(plan)
      say(harmless(skippedText(explanation)))
    },
  }
}
