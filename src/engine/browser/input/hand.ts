import { setTimeout as sleep } from 'node:timers/promises'
import type { Point } from '../../page-script/page/elements.ts'
import type { Session } from '../cdp/session.ts'
import type { Tab } from '../page/tab.ts'

/** Where the mouse was left in a page. */
const places = new WeakMap<Session, Point>()
const start: Point = { x: 20, y: 20 }
const movesPerWay = 12

const between = (least: number, most: number) => least + Math.random() * (most - least)

/** The pause of a person before the next key or press of a button; none for a machine. */
export async function hesitate({ pace }: Pick<Tab, 'pace'>, signal: AbortSignal): Promise<void> {
  if (pace === 'person') await sleep(between(30, 120), undefined, { signal })
}

/** Brings the mouse to a point: at once, or by a bent way in moves that slow down, as a hand does. */
export async function moveMouse(
  { session, pace }: Pick<Tab, 'session' | 'pace'>,
  to: Point,
  signal: AbortSignal,
): Promise<void> {
  const moves = pace === 'person' ? bentWay(places.get(session) ?? start, to) : [to]
  places.set(session, to)
  for (const { x, y } of moves) {
    await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }, signal)
    if (pace === 'person') await sleep(between(6, 18), undefined, { signal })
  }
}

/** A quadratic Bézier curve with its middle pulled aside, at times that ease out. */
function bentWay(from: Point, to: Point): Point[] {
  const pull = { x: (from.x + to.x) / 2 + between(-40, 40), y: (from.y + to.y) / 2 + between(-40, 40) }
  return Array.from({ length: movesPerWay }, (_, index) => {
    const t = 1 - (1 - (index + 1) / movesPerWay) ** 2
    const at = (axis: 'x' | 'y') => (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * pull[axis] + t ** 2 * to[axis]
    return index === movesPerWay - 1 ? to : { x: at('x'), y: at('y') }
  })
}
