import { withDeadline } from '../../util/deadline.ts'
import type { HumanTask } from '../page-script/page/human-task.ts'
import type { LiveTab } from './page/live-tab.ts'

export type PersonTask = HumanTask

const lookMs = 1000

/**
 * Tells of a page that wants a person, once for each thing it wants. Made for one session; a page that does not answer
 * wants nobody.
 */
export function createPersonWatch(): (tab: LiveTab) => Promise<PersonTask | undefined> {
  let told = ''
  return async (tab) => {
    if (tab.dialogs.open()) return undefined
    const wanted = await withDeadline({ step: 'look for a person’s task', ms: lookMs }, undefined, (within) =>
      tab.call('findHumanTask', [], within),
    ).catch(() => null)
    const key = `${wanted} ${tab.targetId} ${tab.traffic.document()?.url ?? ''}`
    if (wanted === null || key === told) return undefined
    told = key
    return wanted
  }
}
