import { checkEntry, clickElement, clickPointOf, inWindow } from '../../browser/acts/press.ts'
import { inPage } from '../../browser/acts/call-page.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import type { Point, PressOptions } from '../../browser/input/mouse-and-keyboard.ts'
import { resolveRef } from '../page/find-target.ts'
import type { LiveTab } from '../page/live-tab.ts'

export async function clickTarget(tab: LiveTab, target: string, signal: AbortSignal, options: PressOptions = {}) {
  const place = placeIn(target)
  if (!place) return clickElement(tab, await resolveRef(tab, target, 'any', signal), signal, options)
  const point = await pointOfPlace(tab, place, signal)
  const hit = await inPage(tab, 'aroundPlace', [point], signal)
  if (hit) tab.memory.remarks.push(`on ${hit.like}`)
  tab.memory.hasActed = true
  await tab.mouse.click(point, options, signal)
}

export async function pointOfTarget(tab: LiveTab, target: string, signal: AbortSignal): Promise<Point> {
  const place = placeIn(target)
  return place
    ? pointOfPlace(tab, place, signal)
    : clickPointOf(tab, await resolveRef(tab, target, 'any', signal), signal)
}

/** A place in the last picture of the page, or in the element of a ref. */
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
  if (!picture) throw new ActionError('Take a screenshot first: a place is one in the last picture of this tab.')
  return inPage(tab, 'windowPoint', [{ x: picture.x + x / picture.scale, y: picture.y + y / picture.scale }], signal)
}

async function pointInElement(tab: LiveTab, target: string, offset: Point, signal: AbortSignal): Promise<Point> {
  const ref = await resolveRef(tab, target, 'any', signal)
  const inside = await inPage(tab, 'pointInside', [ref, offset], signal)
  const point = inside ? await inWindow(tab, tab.frames.of(ref), inside, signal) : undefined
  if (point && 'x' in point) return point
  throw new ActionError(`${target} cannot be seen, so there is no place in it.`)
}
