import { type Hand, partOf } from '../agent/hand.ts'
import type { Step } from './task.ts'

/** Opens a page and performs the steps. Fails if a tool fails, or if a step has a target that no answer showed. */
export type Agent = (hand: Hand, url: string, steps: readonly Step[]) => Promise<void>

/** `button "OK"` as role and name; a text has no role. */
function parse(what: string): { role: string; name: string } {
  const [, role = '', name = what] = /^(\w+) "(.+)"$/.exec(what) ?? []
  return { role, name }
}

/** Takes a snapshot and acts by the names in it, one act per call. */
export function createOurs(): Agent {
  let session: object = {}
  const acts: Readonly<Record<Step[0], (target: string, more?: string) => object>> = {
    click: (target) => ({ type: 'click', target }),
    check: (target) => ({ type: 'check', target }),
    fill: (target, value) => ({ type: 'fill', target, value }),
    select: (target, option) => ({ type: 'select', target, options: [option] }),
    drag: (target, to) => ({ type: 'drag', target, to }),
    press: (key, times = '1') => ({ type: 'press', key, times: Number(times) }),
    wait: (text) => ({ type: 'wait', text }),
  }
  return async (hand, url, steps) => {
    // A session has a lifetime; after it, a call without a session opens another.
    const opened = await hand.call('browser_act', { ...session, url }).catch(() => hand.call('browser_act', { url }))
    const [, sessionId] = /Opened session ([0-9a-f-]{36})/.exec(opened) ?? []
    if (sessionId !== undefined) session = { sessionId }
    for (const [act, what, more] of steps) {
      const { name } = parse(what)
      const isTold = () => !['press', 'wait'].includes(act) && hand.requireTold(name)
      try {
        isTold()
      } catch {
        await hand.call('browser_snapshot', session)
        isTold()
      }
      await hand.call('browser_act', { ...session, acts: [acts[act](what, more)] })
    }
  }
}

/** Takes a snapshot before each act, and acts by its refs. */
export const peerAgent: Agent = async (hand, url, steps) => {
  await hand.call('browser_navigate', { url })
  for (const [act, what, more = ''] of steps) {
    if (act === 'press') {
      for (let left = Number(more || 1); left > 0; left -= 1) await hand.call('browser_press_key', { key: what })
      continue
    }
    if (act === 'wait') {
      await hand.call('browser_wait_for', { text: what })
      continue
    }
    const seen = await hand.call('browser_snapshot', {})
    const target = refIn(seen, act === 'fill' && seen.includes(`textbox "${what}"`) ? `textbox "${what}"` : what)
    const element = what
    if (act === 'fill') await hand.call('browser_type', { element, target, text: more })
    else if (act === 'select') await hand.call('browser_select_option', { element, target, values: [more] })
    else if (act === 'drag')
      await hand.call('browser_drag', {
        startElement: what,
        startTarget: target,
        endElement: more,
        endTarget: refIn(seen, more),
      })
    else await hand.call('browser_click', { element, target })
  }
}

const depthOf = (line = '') => line.search(/\S/)

/**
 * The ref of the line that is exactly this name, otherwise of one that contains it; text without a ref is in an element
 * above it.
 */
function refIn(seen: string, what: string): string {
  const { role, name } = parse(what)
  const quoted = role === '' ? `"${name}"` : `${role} "${name}"`
  const lines = seen.split('\n')
  const alone = lines.findIndex((line) => line.includes(quoted) || line.endsWith(`: ${name}`))
  // The sentence that states the task is a paragraph.
  const within = lines.findIndex((line) => line.includes(name) && !line.includes('- paragraph'))
  const at = alone < 0 ? within : alone
  const line = lines
    .slice(0, at + 1)
    .findLast((each, of) => each.includes('[ref=') && (of === at || depthOf(each) < depthOf(lines[at])))
  return partOf(line ?? '', /\[ref=(\w+)\]/)
}
