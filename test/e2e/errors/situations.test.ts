import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../../src/kernel/error-table.ts'
import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { Answer } from '../../helpers/roads.ts'
import { bySituation, type Situation } from './situations.ts'
import { startWorlds, type Worldly } from './situation-worlds.ts'

let worldly: Worldly
beforeAll(async () => {
  worldly = await startWorlds()
}, 120_000)
afterAll(() => worldly?.close())

const roads = ['REST', 'MCP'] as const

async function meet({ in: where, as: team = 'plain', make }: Situation, by: (typeof roads)[number]): Promise<Answer> {
  const world = worldly.worlds[where]
  const rest = world.rest(team)
  const { call, with: input } = await make({ world, site: worldly.site, team }, rest)
  const road = by === 'REST' ? rest : await world.mcp(team)
  const answer = await road.call(call, input)
  await road.close()
  await closeSessions(world.rest(team))
  return answer
}

async function closeSessions(rest: ReturnType<Worldly['worlds']['able']['rest']>): Promise<void> {
  const { output } = await rest.call('browser_list', { status: 'active' })
  const open = (output?.['sessions'] ?? []) as { id: string }[]
  await Promise.all(open.map(({ id }) => rest.call('browser_close', { sessionId: id })))
}

const situations = Object.entries(bySituation) as [ErrorCode, Situation][]

describe('made for real,', { timeout: 120_000 }, () => {
  test.each(situations)('%s over REST and MCP', async (code, situation) => {
    const answers = [await meet(situation, 'REST'), await meet(situation, 'MCP')]
    for (const answer of answers) {
      if (situation.isTold) expect(JSON.stringify(answer)).toContain(code)
      else expect(answer).toMatchObject({ code })
    }
    if (!situation.isTold) expect(answers[0]?.status).toBe(errors[code].status)
  })
})
