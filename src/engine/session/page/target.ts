import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../../../contracts/page-action.ts'
import type { Description, Resolved } from '../../page-script/actions/target.ts'
import type { LiveFrame } from './frames/tab-frames.ts'
import type { LiveTab } from './live-tab.ts'
import { askFrames, inFrame, inPage } from './page-functions.ts'
import { rememberRefs, staleRefText } from './refs.ts'
import { ActionError } from './types.ts'

/** How long a described element may take to appear, and how long while the page still loads something, ms. */
const [appearMs, loadMs] = [1000, 5000]
const lookEveryMs = 100
const mostNear = 3
const roles =
  /^(button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab|menuitem|treeitem|heading|field|input|select|dropdown|file|date|clickable|editor|row|cell|table|dialog|main|navigation|list|form|region|iframe|code|image|img)\b\s*/i

export const isRef = (target: Target): boolean => /^e\d+$/.test(target)

const isDecisive = (found: Resolved) => 'ref' in found || found.why === 'many'

/** What a description means: in the page, or else in the first frame of another origin that has it. */
async function find(tab: LiveTab, wanted: Description, signal: AbortSignal): Promise<Resolved> {
  const answers = await askFrames(tab, 'resolveTarget', [wanted], isDecisive, signal)
  const near = answers.flatMap((answer) => ('ref' in answer ? [] : answer.candidates))
  return answers.find(isDecisive) ?? { why: 'none', candidates: near.slice(0, mostNear) }
}

/** The ref of the element that a target means. A stale ref fails at once; a described element may still appear. */
export async function resolveRef(
  tab: LiveTab,
  target: Target,
  fields: Description['fields'],
  signal: AbortSignal,
): Promise<number> {
  const ref = await (isRef(target) ? checkRef(tab, target, signal) : waitForElement(tab, target, fields, signal))
  const frame = tab.frames.of(ref)
  if (frame !== tab.frames.main) tab.frames.acted = frame
  tab.watch.aimed?.(ref)
  return ref
}

async function waitForElement(
  tab: LiveTab,
  target: Target,
  fields: Description['fields'],
  signal: AbortSignal,
): Promise<number> {
  const wanted = describeTarget(target, fields)
  const from = performance.now()
  for (;;) {
    const found = await find(tab, wanted, signal)
    if ('ref' in found) return found.ref
    const near = found.candidates.map(({ ref, like }) => `e${ref} ${like}`).join('; ')
    if (found.why === 'many') throw new ActionError(`"${target}" matches several elements: ${near}. Use a ref.`)
    if (performance.now() - from >= (tab.traffic.quietForMs() < appearMs ? loadMs : appearMs))
      throw new ActionError(`No visible element matches "${target}".${near ? ` Nearest: ${near}.` : ''}`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** The document that keys go to. Fails with an ActionError where that is a frame that may not be entered. */
export async function focusedDocument(tab: LiveTab, signal: AbortSignal): Promise<LiveFrame> {
  let at = tab.frames.main
  for (;;) {
    const ref = await inFrame(tab, at, 'focusedFrame', [], signal)
    if (ref === 0) return at
    at = await tab.frames.open(at, ref, signal)
  }
}

/** The element if it is there now. */
export async function findRef(tab: LiveTab, target: Target, signal: AbortSignal): Promise<number | undefined> {
  const found = await find(tab, describeTarget(target, 'any'), signal)
  return 'ref' in found ? found.ref : undefined
}

async function checkRef(tab: LiveTab, target: Target, signal: AbortSignal): Promise<number> {
  const ref = Number(target.slice(1))
  const node = await inPage(tab, 'readElement', [ref], signal)
  if (node) {
    rememberRefs(tab, [node])
    return ref
  }
  const was = tab.memory.refNames.get(ref)
  const again = was === undefined ? undefined : await find(tab, describeTarget(was, 'any'), signal)
  const same = again && 'ref' in again ? `; the same is there again as e${again.ref}` : ''
  const several =
    again && 'candidates' in again && again.why === 'many'
      ? `; there are others like it: ${again.candidates.map(({ ref: each }) => `e${each}`).join(', ')}`
      : ''
  throw new ActionError(
    same || several ? `${target} was ${was}, which is gone${same}${several}.` : staleRefText(tab, target),
  )
}

/** `button "Save"`, `button Save`, `Save`, `button "Save" #2`. */
export function describeTarget(target: Target, fields: Description['fields']): Description {
  const nth = /\s#(\d+)$/.exec(target)
  const said = nth ? target.slice(0, nth.index) : target
  const role = roles.exec(said.trim())
  const rest = said.trim().slice(role?.[0].length ?? 0)
  const isRole = role !== null && (rest === '' || /^["'“]/.test(rest) || /\s$/.test(role[0]))
  const name = (isRole ? rest : said.trim()).replace(/^["'“]|["'”]$/g, '')
  return {
    role: isRole ? (role[1] ?? '').toLowerCase().replace('image', 'img') : '',
    name,
    ...(isRole && rest === '' && { word: said.trim() }),
    nth: Number(nth?.[1] ?? 0),
    fields,
  }
}
