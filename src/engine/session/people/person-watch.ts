import { withDeadline } from '../../../util/async.ts'
import type { HumanTask } from '../../page-script/page/load-state.ts'
import type { LiveTab } from '../page/live-tab.ts'

const lookMs = 1000

/**
 * Detects tasks that only a person can do on the page, reporting each once. One per session; a page that does not respond
 * has none.
 */
export function createPersonWatch(): (tab: LiveTab) => Promise<HumanTask | undefined> {
  let reported = ''
  return async (tab) => {
    if (tab.dialogs.open()) return undefined
    const task = await withDeadline({ step: 'look for a person’s task', ms: lookMs }, undefined, (within) =>
      tab.call('findHumanTask', [], within),
    ).catch(() => null)
    const key = `${task} ${tab.targetId} ${tab.traffic.document()?.url ?? ''}`
    if (task === null || key === reported) return undefined
    reported = key
    return task
  }
}
