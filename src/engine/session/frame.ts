import type { Ctx } from '../../core/ctx.ts'
import { addressesOf } from './addresses.ts'

/** A picture of the current tab, and what it shows. */
export async function frameOf(id: string, { ports, team, baseUrl, signal }: Ctx) {
  const ref = { id, teamId: team.id }
  const picture = await ports.sessions.picture(ref, signal)
  const { tabs, ...facts } = await ports.sessions.state(ref, signal)
  const { interactiveLiveViewUrl } = addressesOf(facts, await ports.sessions.baseUrl(baseUrl))
  const { url = '', title = '' } = tabs.find(({ isCurrent }) => isCurrent) ?? {}
  return {
    ...picture,
    url,
    title,
    tabs: [...tabs],
    ...(interactiveLiveViewUrl !== undefined && { interactiveLiveViewUrl }),
  }
}
