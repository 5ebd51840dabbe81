import { setTimeout as sleep } from 'node:timers/promises'
import type { PressOptions } from '../../browser/input/mouse-and-keyboard.ts'
import type { NotClickable } from '../../page-script/actions/click-points.ts'
import type { Point } from '../../page-script/dom/hit-test.ts'
import type { LiveFrame } from '../page/tab-frames.ts'
import type { LiveTab, Chooser } from '../page/live-tab.ts'
import { inPage } from '../page/call-page.ts'
import { resolveRef } from '../page/find-target.ts'
import { ActionError, type ActionOutcome } from '../page/action-types.ts'
import type { ActionHandler } from './action-context.ts'
import { mostBytes, setFiles, storeFiles, type FileBytes } from '../live-view/file-chooser.ts'

/** Time limit in ms for an element to become actionable. */
const readyMs = 5000
const lookEveryMs = 100
const tries = 3

const words: Record<NotClickable['why'], string> = {
  gone: 'it has left the page',
  hidden: 'it cannot be seen',
  disabled: 'it is disabled',
  moving: 'it keeps moving',
  covered: 'it is covered by',
}

/** Returns a clickable point of the element. Fails with an ActionError if there is none within the time limit. */
async function clickPointOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Point> {
  const until = performance.now() + readyMs
  for (;;) {
    const inside = await inPage(tab, 'findClickPoint', [ref], signal)
    if ('isForeign' in inside && tab.frames.isLimited()) await checkEntry(tab, ref, signal)
    const point = 'x' in inside ? await inWindow(tab, tab.frames.of(ref), inside, signal) : inside
    if ('x' in point) {
      tab.watch.pointed?.(point)
      return point
    }
    if (point.why === 'gone' || performance.now() >= until)
      throw new ActionError(`e${ref} cannot be acted on: ${words[point.why]}${point.by ? ` ${point.by}` : ''}.`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Fails with an ActionError if clicking into a frame of another origin is not allowed. */
async function checkEntry(tab: LiveTab, ref: number, signal: AbortSignal): Promise<void> {
  const inner = await tab.frames.open(tab.frames.of(ref), ref, signal)
  tab.frames.check(inner, (await inner.world.call('readLocation', [], signal)).url)
}

/**
 * Converts a point of a document to window coordinates through the frames around it, scrolling all of them into view.
 */
async function inWindow(
  tab: LiveTab,
  { around }: LiveFrame,
  point: Point,
  signal: AbortSignal,
): Promise<Point | NotClickable> {
  if (!around) return point
  const outside = await inPage(tab, 'findFramePoint', [around.ref, point], signal)
  return 'x' in outside ? inWindow(tab, around.frame, outside, signal) : outside
}

/**
 * Clicks an element. The click is repeated only if another element is known to have received it: without such evidence,
 * a second click could repeat an action.
 */
export async function clickElement(
  tab: LiveTab,
  ref: number,
  signal: AbortSignal,
  options: PressOptions = {},
): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const point = await clickPointOf(tab, ref, signal)
    await inPage(tab, 'watchPress', [ref], signal)
    tab.memory.hasActed = true
    await tab.mouse.click(point, options, signal)
    const taker = await inPage(tab, 'pressTaker', [ref], signal)
    if (!taker) return
    tab.memory.remarks.push(`${taker} took a press that was meant for e${ref}`)
  }
  throw new ActionError(`e${ref} was not pressed: other elements take its place.`)
}

export const click: ActionHandler<'click'> = async ({ tab }, { target, button }, signal) => {
  await clickElement(tab, await resolveRef(tab, target, 'any', signal), signal, { button })
  return {}
}

export const doubleClick: ActionHandler<'doubleClick'> = async ({ tab }, { target }, signal) => {
  await clickElement(tab, await resolveRef(tab, target, 'any', signal), signal, { clickCount: 2 })
  return {}
}

export const hover: ActionHandler<'hover'> = async ({ tab }, { target }, signal) => {
  await tab.mouse.move(await clickPointOf(tab, await resolveRef(tab, target, 'any', signal), signal), {}, signal)
  return {}
}

export const drag: ActionHandler<'drag'> = async ({ tab }, { target, to }, signal) => {
  const [from, onto] = [await resolveRef(tab, target, 'any', signal), await resolveRef(tab, to, 'any', signal)]
  const before = await inPage(tab, 'boxOf', [from], signal)
  await tab.mouse.move(await clickPointOf(tab, from, signal), {}, signal)
  tab.memory.hasActed = true
  await tab.mouse.down({}, signal)
  const end = await clickPointOf(tab, onto, signal)
  await tab.mouse.move(end, { steps: 4 }, signal)
  // Some pages accept a drop only after the pointer has stopped moving.
  await tab.mouse.move(end, { steps: 1 }, signal)
  await tab.mouse.up({}, signal)
  const after = await inPage(tab, 'boxOf', [from], signal)
  if (!before || !after) return {}
  const [x, y] = [Math.round(after.x - before.x), Math.round(after.y - before.y)]
  return x === 0 && y === 0 ? {} : { remark: `moved by ${x}, ${y} px`, hasEffect: true }
}

/** Time limit in ms for a page to open a file chooser after a click. */
const chooserMs = 1500
const chooserPollMs = 50

/** Gives files to a file field or its label, to the chooser that a click on the target opens, or to a drop area. */
export const upload: ActionHandler<'upload'> = async ({ tab }, { target, files }, signal) => {
  const contents = files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }))
  if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes)
    throw new ActionError(`The files are larger than ${mostBytes / 1_000_000} MB in all.`)
  const wanted = await resolveRef(tab, target, 'any', signal)
  const { ref, kind } = await inPage(tab, 'resolveField', [wanted], signal)
  if (kind === 'file') return fillField(tab, ref, contents, signal)
  const chooser = await chooserOf(tab, wanted, signal)
  if (!chooser) return dropFiles(tab, wanted, contents, signal)
  if (contents.length > 1 && !chooser.multiple)
    throw new ActionError(`The chooser that e${wanted} opens takes one file.`)
  await setFiles(chooser.session, { backendNodeId: chooser.backendNodeId }, contents, signal)
  return { remark: `chose ${namesOf(contents)}`, hasEffect: true }
}

const namesOf = (files: readonly FileBytes[]) => files.map(({ name }) => name).join(', ')

async function fillField(
  tab: LiveTab,
  ref: number,
  files: readonly FileBytes[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { session, world } = tab.frames.of(ref)
  await setFiles(session, { objectId: await world.refer('elementOf', [ref], signal) }, files, signal)
  const now = await inPage(tab, 'readField', [ref], signal)
  if (now && now.value === '') throw new ActionError(`e${ref} did not take the files.`)
  return { remark: `holds ${namesOf(files)}` }
}

async function chooserOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Chooser | undefined> {
  await clickElement(tab, ref, signal)
  const until = performance.now() + chooserMs
  while (!tab.memory.chooser && performance.now() < until) await sleep(chooserPollMs, undefined, { signal })
  return tab.memory.chooser
}

async function dropFiles(
  tab: LiveTab,
  ref: number,
  files: readonly FileBytes[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const at = await clickPointOf(tab, ref, signal)
  const data = { items: [], files: await storeFiles(tab.session, files), dragOperationsMask: 1 }
  await inPage(tab, 'watchDrop', [ref], signal)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await tab.session.send('Input.dispatchDragEvent', { type, ...at, data }, signal)
  if (await inPage(tab, 'wasDropped', [ref], signal)) return { remark: `took ${namesOf(files)}`, hasEffect: true }
  throw new ActionError(
    `e${ref} takes no files: it is no file field, a click on it opens no chooser, and nothing can be dropped on it.`,
  )
}
