import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../../../contracts/render-port.ts'
import type { Candidate, Description, Reading, Resolved } from '../../page-script/actions/resolve-target.ts'
import type { LiveTab } from './live-tab.ts'
import { queryFrames, inPage } from '../../browser/acts/call-page.ts'
import { ActionError, GoneError } from '../../browser/acts/tab-frames.ts'
import type { PageNode } from '../../page-script/snapshot/page-outline.ts'
import { partsOf } from './text/snapshot-lines.ts'

/**
 * Time limit in ms for a described element to appear, and the quiet time after which a page without scripts is
 * complete.
 */
const [appearMs, completeMs] = [5000, 1000]
const lookEveryMs = 100
const maxNear = 3
const roles =
  /^(button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab|menuitem|treeitem|heading|field|input|select|dropdown|file|date|clickable|editor|row|cell|table|dialog|main|navigation|list|form|region|iframe|code|image|img|tablist|tabpanel|radiogroup|progressbar|disclosure|(?:alert|article|banner|color|figure|group|h[1-6]|menu|meter|search|status|toolbar|tooltip|tree)(?=\s+["'“]))\b\s*/i

export const isRef = (target: Target): boolean => /^e\d+$/.test(target)

type Found = { found: readonly Candidate[]; isExact: boolean; near: readonly Candidate[] }

const isDecisive = (answer: Resolved) => 'found' in answer && answer.fit !== 'part'

/** Resolves a description in the page. Without a full match there, uses the first cross-origin frame that has one. */
async function find(tab: LiveTab, wanted: Description, signal: AbortSignal): Promise<Found> {
  const answers = await queryFrames(tab, 'resolveTarget', [wanted], isDecisive, signal)
  const decisive = answers.find(isDecisive)
  const found = (decisive ? [decisive] : answers).flatMap((answer) => ('found' in answer ? answer.found : []))
  const near = answers.flatMap((answer) => ('near' in answer ? answer.near : []))
  const isExact = decisive !== undefined && 'fit' in decisive && decisive.fit === 'exact'
  return { found, isExact, near: near.slice(0, maxNear) }
}

/** Returns the ref of a target's element. Waits for a described element to appear; a stale ref fails immediately. */
export async function resolveRef(tab: LiveTab, target: Target, fields: Description['fields'], signal: AbortSignal) {
  const ref = await (isRef(target) ? checkRef(tab, target, signal) : waitForElement(tab, target, fields, signal))
  const frame = tab.frames.of(ref)
  if (frame !== tab.frames.main) tab.frames.acted = frame
  tab.watch.aimed?.(ref)
  return ref
}

/** Number of times that a described element is looked up, because pages replace elements while they update. */
const tries = 3

/** Does something with the element of a target, or with its replacement if the element has left the page. */
export async function onElement<T>(
  { tab, target, fields, signal }: { tab: LiveTab; target: Target; fields: Description['fields']; signal: AbortSignal },
  work: (ref: number) => Promise<T>,
): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work(await resolveRef(tab, target, fields, signal))
    } catch (error) {
      if (!(error instanceof GoneError) || isRef(target) || left <= 1) throw error
    }
  }
}

async function waitForElement(tab: LiveTab, target: Target, fields: Description['fields'], signal: AbortSignal) {
  const wanted = describeTarget(target, fields)
  const name = unquoted(target) ?? target
  const from = performance.now()
  for (;;) {
    const { found, isExact, near } = await find(tab, wanted, signal)
    const [only, ...others] = found
    if (others.length > 0) throw new ActionError(`"${name}" matches several elements: ${listOf(found)}. Use a ref.`)
    if (only && !isExact) tab.memory.remarks.push(`taken as e${only.ref} ${only.like}`)
    if (only) return only.ref
    if (performance.now() - from >= appearMs || (await isComplete(tab, signal)))
      throw new ActionError(
        `No visible element matches "${name}".${near.length > 0 ? ` Nearest: ${listOf(near)}.` : ''}${selectorHint(target)}`,
      )
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** True if the page has no scripts or frames that could still add elements, and nothing is loading. */
async function isComplete({ call, traffic }: LiveTab, signal: AbortSignal): Promise<boolean> {
  return traffic.quietForMs() >= completeMs && (await call('readProgress', [], signal)).isInert
}

/** Matches the start of a CSS selector, an XPath, or a selector prefixed with the name of its language. */
const likeSelector = /^(?!css=)(?:\w+=|\(?\.?\/\/?\w|[a-z][\w-]*(?:[#.:[]\S|\s*[>~+]\s*\w)|[#.[][a-z])/i
const selectorHint = (target: string) =>
  likeSelector.test(target)
    ? ' It looks like a selector: give a ref (e12), a visible text, a role and name (button "Save"), or css= and a CSS selector.'
    : ''

const listOf = (all: readonly Candidate[]) => all.map(({ ref, like }) => `e${ref} ${like}`).join('; ')

export async function findRef(tab: LiveTab, target: Target, signal: AbortSignal): Promise<number | undefined> {
  const { found } = await find(tab, describeTarget(target, 'any'), signal)
  return found.length === 1 ? found[0]?.ref : undefined
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
  const [only, ...others] = again?.isExact ? again.found : []
  const same = only && others.length === 0 ? `; the same is there again as e${only.ref}` : ''
  const several =
    only && others.length > 0
      ? `; there are others like it: ${[only, ...others].map(({ ref: each }) => `e${each}`).join(', ')}`
      : ''
  throw new ActionError(
    same || several ? `${target} was ${was}, which is gone${same}${several}.` : staleRefText(tab, target),
  )
}

function describeTarget(target: Target, fields: Description['fields']): Description {
  const [, selector, nth = 0] = /^css=(.*?)(?:\s#(\d+))?$/s.exec(target.trim()) ?? []
  return selector === undefined
    ? { readings: readingsOf(target), fields }
    : { readings: [], css: { selector, nth: Number(nth) }, fields }
}

/** Lists the readings of a target, likeliest first. Without quotes, its first word is tried as a role last. */
export function readingsOf(target: Target): [Reading, ...Reading[]] {
  const whole = target.trim()
  const numbered = /\s#(\d+)$/.exec(whole)
  const [bare, nth] = numbered ? [whole.slice(0, numbered.index).trim(), Number(numbered[1])] : [whole, 0]
  const [first = '', word = ''] = roles.exec(bare) ?? []
  const rest = bare.slice(first.length)
  const role = word.toLowerCase().replace('image', 'img')
  const quoted = unquoted(rest)
  if (quoted !== undefined) return [{ role, name: quoted, nth }]
  const byName: Reading = { role: '', name: bare, nth }
  const byRole: Reading[] = word !== '' && (rest === '' || /\s$/.test(first)) ? [{ role, name: rest, nth }] : []
  // A single role word is first tried as the exact name of an element, then as a role.
  if (byRole.length > 0 && rest === '') return [{ ...byName, asWritten: true }, ...byRole, byName]
  return nth > 0 ? [{ role: '', name: whole, nth: 0 }, byName, ...byRole] : [byName, ...byRole]
}

const unquoted = (text: string) => /^["'“](.*)["'”]$/s.exec(text)?.[1]

/** Maximum number of remembered refs; the latest are kept. */
const maxRefs = 5000

/** Remembers the role and name of each ref, to describe a stale one. */
export function rememberRefs(tab: Pick<LiveTab, 'memory'>, nodes: readonly PageNode[]): void {
  const { refNames } = tab.memory
  for (const node of nodes) {
    if (node.ref !== undefined) {
      refNames.delete(node.ref)
      refNames.set(node.ref, likenessOf(node))
    }
    rememberRefs(tab, partsOf(node))
  }
  for (const ref of refNames.keys()) {
    if (refNames.size <= maxRefs) break
    refNames.delete(ref)
  }
}

const likenessOf = ({ role, name }: PageNode) => (name ? `${role} "${name}"` : role)

export function staleRefText({ memory: { refNames } }: Pick<LiveTab, 'memory'>, ref: string): string {
  const was = refNames.get(Number(ref.slice(1)))
  return was
    ? `${ref} was ${was}, which is no longer on the page; take a new snapshot.`
    : `There is no element ${ref} on this page; take a snapshot for the refs it has.`
}
