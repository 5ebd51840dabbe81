import type { ActOf } from '../messages.ts'
import { byId, isInControl, thinned } from './elements.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'

const doubleMs = 350
const sendMs = 30
/** Share of its speed that a scroll keeps from one picture to the next after the finger has left. */
const friction = 0.94
const slowPx = 0.5

/** Fingers do what a mouse does: a tap presses, a resting finger presses the other button, one that then moves drags. */
export function watchTouch(link: Link, screen: Screen): void {
  const canvas = byId('screen')
  const scrolling = createScrolling(link, screen)
  let lastTap = { at: -Infinity, spot: { clientX: 0, clientY: 0 }, clicks: 0 }
  const drags = thinned<Spot>(sendMs, (spot) => mouse('move', spot))

  function mouse(does: 'move' | 'down' | 'up', spot: Spot): void {
    const buttons = does === 'up' ? 0 : 1
    link.say({ type: 'mouse', do: does, ...screen.pointOf(spot), button: 'left', buttons, clicks: 1, mods: 0 })
  }

  canvas.addEventListener('touchstart', () => {
    document.body.classList.add('fingers')
    scrolling.halt()
  })
  watchGestures(canvas, isInControl, {
    tap(spot) {
      const isAgain = performance.now() - lastTap.at < doubleMs && !areFar(spot, lastTap.spot)
      const clicks = isAgain ? (lastTap.clicks % 3) + 1 : 1
      lastTap = { at: performance.now(), spot, clicks }
      link.say({ type: 'tap', ...screen.pointOf(spot), button: 'left', clicks })
    },
    press: (spot) => link.say({ type: 'tap', ...screen.pointOf(spot), button: 'right', clicks: 1 }),
    drag(phase, spot) {
      if (phase === 'move') return drags.put(() => spot)
      drags.flush()
      mouse(phase === 'start' ? 'down' : 'up', spot)
    },
    scroll: scrolling.by,
    scrolled: scrolling.glide,
    pan: ({ x, y }) => byId('stage').scrollBy(x, y),
  })
}

/** A finger turns the wheel, which goes on for a while when the finger leaves. */
function createScrolling(link: Link, screen: Screen) {
  let speed = { x: 0, y: 0 }
  let frame = 0
  const wheels = thinned<ActOf<'wheel'>>(sendMs, (said) => link.say(said))

  function turn(from: Spot, { x, y }: { x: number; y: number }): void {
    const scale = screen.scale()
    const said = { type: 'wheel', ...screen.pointOf(from), mods: 0 } as const
    wheels.put((last) => ({ ...said, dx: (last?.dx ?? 0) + x * scale, dy: (last?.dy ?? 0) + y * scale }))
  }

  function glide(from: Spot): void {
    speed = { x: speed.x * friction, y: speed.y * friction }
    if (Math.hypot(speed.x, speed.y) < slowPx) return
    turn(from, speed)
    frame = requestAnimationFrame(() => glide(from))
  }

  return {
    by(from: Spot, by: { x: number; y: number }): void {
      speed = { x: (speed.x + by.x) / 2, y: (speed.y + by.y) / 2 }
      turn(from, by)
    },
    glide,
    halt(): void {
      cancelAnimationFrame(frame)
      speed = { x: 0, y: 0 }
    },
  }
}

type Spot = { clientX: number; clientY: number }
export type GestureEars = {
  tap(spot: Spot): void
  /** A finger rested and left. */
  press(spot: Spot): void
  /** A finger rested and then moved. */
  drag(phase: 'start' | 'move' | 'end', spot: Spot): void
  /** From where, and by how much. `end`: the finger has left. */
  scroll(from: Spot, by: { x: number; y: number }): void
  scrolled(from: Spot): void
  /** Two fingers. */
  pan(by: { x: number; y: number }): void
}

const restMs = 500
const nearPx = 10

const areFar = (one: Spot, other: Spot) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) > nearPx

/** Tells what fingers do: tap, rest, scroll, rest and drag, move with two. `isOn` says whether they are wanted at all. */
function watchGestures(element: HTMLElement, isOn: () => boolean, ears: GestureEars): void {
  let doing: 'nothing yet' | 'scroll' | 'rest' | 'drag' | 'pan' = 'nothing yet'
  let start: Spot = { clientX: 0, clientY: 0 }
  let before = start
  let resting: ReturnType<typeof setTimeout> | undefined

  function begin({ touches }: TouchEvent): void {
    clearTimeout(resting)
    before = touches[0]!
    if (touches.length > 1) return void (doing = doing === 'drag' ? doing : 'pan')
    start = before
    doing = 'nothing yet'
    resting = setTimeout(() => (doing = 'rest'), restMs)
  }

  function move({ touches }: TouchEvent): void {
    const now = touches[0]!
    if (doing === 'nothing yet' && areFar(start, now)) {
      clearTimeout(resting)
      doing = 'scroll'
    } else if (doing === 'rest' && areFar(start, now)) {
      doing = 'drag'
      ears.drag('start', start)
    }
    if (doing === 'nothing yet' || doing === 'rest') return
    const by = { x: before.clientX - now.clientX, y: before.clientY - now.clientY }
    before = now
    if (doing === 'pan') ears.pan(by)
    else if (doing === 'drag') ears.drag('move', now)
    else ears.scroll(start, by)
  }

  function finish({ touches, type }: TouchEvent): void {
    if (touches.length > 0) return
    clearTimeout(resting)
    const wasCut = type === 'touchcancel'
    if (doing === 'drag') ears.drag('end', before)
    else if (doing === 'scroll') ears.scrolled(start)
    else if (doing === 'nothing yet' && !wasCut) ears.tap(start)
    else if (doing === 'rest' && !wasCut) ears.press(start)
    doing = 'pan'
  }

  const phases = { touchstart: begin, touchmove: move, touchend: finish, touchcancel: finish }
  for (const [name, work] of Object.entries(phases))
    element.addEventListener(
      name,
      (event) => {
        if (!isOn()) return
        event.preventDefault()
        work(event as TouchEvent)
      },
      { passive: false },
    )
}
