import { poll } from '../../../util/async.ts'
import type { NotClickable } from '../../page-script/actions/click-points.ts'
import type { PressOptions, Point } from '../input/mouse-and-keyboard.ts'
import type { Tab } from '../page/tab.ts'
import { inPage } from './call-page.ts'
import { ActionError, GoneError, type LiveFrame } from './tab-frames.ts'

/** Time limit in ms for an element to become actionable. */
const readyMs = 5000
const maxTries = 3

const reasons: Record<NotClickable['why'], string> = {
  gone: 'it has left the page',
  hidden: 'it cannot be seen',
  disabled: 'it is disabled',
  moving: 'it keeps moving',
  covered: 'it is covered by',
}

/**
 * Returns a clickable point of the element. Fails with an ActionError if the element has none within the time limit.
 */
export async function clickPointOf(tab: Tab, ref: number, signal: AbortSignal, Gone = GoneError): Promise<Point> {
  const point = await findPoint(tab, ref, readyMs, signal)
  if ('x' in point) return point
  const Failure = point.why === 'gone' ? Gone : ActionError
  throw new Failure(`e${ref} cannot be acted on: ${reasons[point.why]}${point.by ? ` ${point.by}` : ''}.`)
}

async function findPoint(tab: Tab, ref: number, ms: number, signal: AbortSignal): Promise<Place> {
  const probe = async () => {
    const inside = await inPage(tab, 'findClickPoint', [ref], signal)
    if ('isForeign' in inside && tab.frames.isLimited()) await checkEntry(tab, ref, signal)
    return 'x' in inside ? inWindow(tab, tab.frames.of(ref), inside, signal) : inside
  }
  const point = await poll(ms, signal, probe, (found) => 'x' in found || found.why === 'gone')
  if ('x' in point) tab.watch.pointed?.(point)
  return point
}

/** Fails with an ActionError if the document in a cross-origin frame may not be accessed. */
export async function checkEntry(tab: Tab, ref: number, signal: AbortSignal): Promise<void> {
  const inner = await tab.frames.open(tab.frames.of(ref), ref, signal)
  tab.frames.check(inner, (await inner.world.call('readLocation', [], signal)).url)
}

/** Point to click an element at, or the reason why it cannot be clicked. */
type Place = Point | NotClickable

/** Converts a point of a document to window coordinates, scrolling the frames around it into view. */
export async function inWindow(tab: Tab, { around }: LiveFrame, point: Point, signal: AbortSignal): Promise<Place> {
  if (!around) return point
  const outside = await inPage(tab, 'findFramePoint', [around.ref, point], signal)
  return 'x' in outside ? inWindow(tab, around.frame, outside, signal) : outside
}

/** Clicks an element. Clicks again only if another element received the press, so a click never takes effect twice. */
export async function clickElement(tab: Tab, ref: number, signal: AbortSignal, options?: PressOptions): Promise<void> {
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const point = await clickPointOf(tab, ref, signal, attempt === 1 ? GoneError : ActionError)
    if (await pressesAt(tab, ref, point, signal, options)) return
  }
  throw new ActionError(`e${ref} was not pressed: other elements received each press.`)
}

/** Time limit in ms for overlays to fade out. */
const coverMs = 1000

/** Clicks an element, by script if the mouse cannot press it. Skips an element that has left the page. */
export async function forceClick(tab: Tab, ref: number, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const point = await findPoint(tab, ref, coverMs, signal)
    if (!('x' in point)) return point.why === 'gone' ? undefined : inPage(tab, 'clickByScript', [ref], signal)
    if (await pressesAt(tab, ref, point, signal)) return
  }
  await inPage(tab, 'clickByScript', [ref], signal)
}

/** Presses a point once. Returns false unless the press reached the element, or a copy that replaced it. */
async function pressesAt(tab: Tab, ref: number, point: Point, signal: AbortSignal, options?: PressOptions) {
  await inPage(tab, 'watchPress', [ref], signal)
  tab.memory.hasActed = true
  await tab.mouse.click(point, options, signal)
  const receiver = await inPage(tab, 'pressTaker', [ref], signal)
  if (receiver?.isTwin) tab.memory.remarks.push(`the page replaced e${ref}; ${receiver.like} was pressed`)
  else if (receiver) tab.memory.remarks.push(`${receiver.like} received a press that was meant for e${ref}`)
  return !receiver || receiver.isTwin
}
