import { poll } from '../../../util/async.ts'
import type { Point, PressOptions } from '../../browser/input/mouse-and-keyboard.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../../browser/acts/call-page.ts'
import { onElement, resolveRef } from '../page/find-target.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import type { ActionOutcome } from '../page/text/remarks.ts'
import type { ActionHandler } from './action-context.ts'
import { checkEntry, clickElement, clickPointOf, inWindow } from '../../browser/acts/press.ts'
import { type Chooser, maxBytes, setFiles, storeFiles, type FileBytes } from '../file-chooser.ts'

const click: ActionHandler<'click'> = async ({ tab }, { target, button, times }, signal) => {
  await clickTarget(tab, target, signal, { button, clickCount: times })
  return {}
}

const doubleClick: ActionHandler<'doubleClick'> = async ({ tab }, { target }, signal) => {
  await clickTarget(tab, target, signal, { clickCount: 2 })
  return {}
}

const hover: ActionHandler<'hover'> = async ({ tab }, { target }, signal) => {
  await tab.mouse.move(await pointOfTarget(tab, target, signal), {}, signal)
  return {}
}

const drag: ActionHandler<'drag'> = async ({ tab }, { target, via = [], to }, signal) => {
  await tab.mouse.move(await pointOfTarget(tab, target, signal), {}, signal)
  tab.memory.hasActed = true
  await tab.mouse.down({}, signal)
  try {
    for (const place of [...via, to])
      await tab.mouse.move(await pointOfTarget(tab, place, signal), { steps: 4 }, signal)
    // Some pages accept a drop only after the pointer has stopped moving.
    await tab.mouse.move(await pointOfTarget(tab, to, signal), { steps: 1 }, signal)
  } finally {
    await tab.mouse.up({}, signal)
  }
  return {}
}

export async function clickTarget(tab: LiveTab, target: string, signal: AbortSignal, options: PressOptions = {}) {
  const place = placeIn(target)
  if (!place) return onElement({ tab, target, fields: 'any', signal }, (ref) => clickElement(tab, ref, signal, options))
  const point = await pointOfPlace(tab, place, signal)
  const hit = await inPage(tab, 'aroundPlace', [point], signal)
  if (hit) tab.memory.remarks.push(`on ${hit.like}`)
  tab.memory.hasActed = true
  await tab.mouse.click(point, options, signal)
}

async function pointOfTarget(tab: LiveTab, target: string, signal: AbortSignal): Promise<Point> {
  const place = placeIn(target)
  return place
    ? pointOfPlace(tab, place, signal)
    : onElement({ tab, target, fields: 'any', signal }, (ref) => clickPointOf(tab, ref, signal))
}

/** A point in the last screenshot of the page, or an offset within the element of a ref. */
type Place = Point & { ref: string | undefined }

/** Reads `at 120,340`, or `e5 at 10,20` for an offset in an element. */
function placeIn(target: string): Place | undefined {
  const [, ref, x, y] = /^(?:(e\d+) +)?at (-?[\d.]+), ?(-?[\d.]+)$/.exec(target.trim()) ?? []
  return x === undefined ? undefined : { ref, x: Number(x), y: Number(y) }
}

async function pointOfPlace(tab: LiveTab, { ref, x, y }: Place, signal: AbortSignal): Promise<Point> {
  const point =
    ref === undefined ? await pointInPicture(tab, { x, y }, signal) : await pointInElement(tab, ref, { x, y }, signal)
  const hit = tab.frames.isLimited() ? await inPage(tab, 'aroundPlace', [point], signal) : undefined
  if (hit?.isForeign) await checkEntry(tab, hit.ref, signal)
  tab.watch.pointed?.(point)
  return point
}

function pointInPicture(tab: LiveTab, { x, y }: Point, signal: AbortSignal): Promise<Point> {
  const { picture } = tab.memory
  if (!picture) throw new ActionError('Take a screenshot first: a position refers to the last screenshot of this tab.')
  return inPage(tab, 'windowPoint', [{ x: picture.x + x / picture.scale, y: picture.y + y / picture.scale }], signal)
}

async function pointInElement(tab: LiveTab, target: string, offset: Point, signal: AbortSignal): Promise<Point> {
  const ref = await resolveRef(tab, target, 'any', signal)
  const inside = await inPage(tab, 'pointInside', [ref, offset], signal)
  const point = inside ? await inWindow(tab, tab.frames.of(ref), inside, signal) : undefined
  if (point && 'x' in point) return point
  throw new ActionError(`${target} cannot be seen, so there is no place in it.`)
}

/** Time limit in ms for a page to open a file chooser after a click. */
const chooserMs = 1500

/** Puts files into a file field or its label, the chooser that a click on the target opens, or a drop area. */
const upload: ActionHandler<'upload'> = async ({ tab }, { target, files }, signal) => {
  const contents = files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }))
  if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxBytes)
    throw new ActionError(`The files are larger than ${maxBytes / 1_000_000} MB in all.`)
  const wanted = await resolveRef(tab, target, 'any', signal)
  const { ref, kind } = await inPage(tab, 'resolveField', [wanted], signal)
  if (kind === 'file' && files.length > 1) throw new ActionError(`e${ref} takes one file.`)
  if (kind === 'file' || kind === 'files') return fillField(tab, ref, contents, signal)
  const chooser = await chooserOf(tab, wanted, signal)
  if (!chooser) return dropFiles(tab, wanted, contents, signal)
  if (contents.length > 1 && !chooser.multiple)
    throw new ActionError(`The chooser that e${wanted} opens takes one file.`)
  await setFiles(chooser.session, { backendNodeId: chooser.backendNodeId }, contents, signal)
  return { remark: `chose ${namesOf(contents)}`, hasEffect: true }
}

const namesOf = (files: readonly FileBytes[]) => files.map(({ name }) => name).join(', ')

async function fillField(tab: LiveTab, ref: number, files: readonly FileBytes[], signal: AbortSignal) {
  const { session, world } = tab.frames.of(ref)
  await setFiles(session, { objectId: await world.refer('elementOf', [ref], signal) }, files, signal)
  const now = await inPage(tab, 'readField', [ref], signal)
  const isEmptied = now?.value === ''
  return { remark: `${isEmptied ? 'got' : 'holds'} ${namesOf(files)}${isEmptied ? ', and is empty again' : ''}` }
}

async function chooserOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Chooser | undefined> {
  await clickElement(tab, ref, signal)
  return poll(chooserMs, signal, async () => tab.memory.chooser)
}

async function dropFiles(
  tab: LiveTab,
  ref: number,
  files: readonly FileBytes[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const at = await clickPointOf(tab, ref, signal)
  const data = { items: [], files: await storeFiles(tab.session, files), dragOperationsMask: 1 }
  const dispatch = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel') =>
    tab.session.send('Input.dispatchDragEvent', { type, ...at, data }, signal)
  await inPage(tab, 'watchDrag', [ref], signal)
  await dispatch('dragEnter')
  await dispatch('dragOver')
  const isTaken = await inPage(tab, 'takesDrop', [ref], signal)
  await dispatch(isTaken ? 'drop' : 'dragCancel')
  if (isTaken) return { remark: `took ${namesOf(files)}`, hasEffect: true }
  throw new ActionError(
    `e${ref} takes no files: it is not a file field, a click on it opens no file chooser, and nothing can be dropped on it.`,
  )
}

export const pointerActions = { click, doubleClick, hover, drag, upload }
