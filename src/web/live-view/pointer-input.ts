import type { ViewerActionOf } from '../../engine/session/live-view/messages.ts'
import { byId, isInControl } from '../page-elements.ts'
import type { Link } from './link.ts'
import type { Screen } from './picture.ts'

const names = ['left', 'middle', 'right'] as const
const moveMs = 30
/** Pixels per unit of a wheel event, by its `deltaMode`: pixel, line or page. */
const wheelUnits = [1, 40, 600]

export function modsOf(event: MouseEvent | KeyboardEvent | WheelEvent): number {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)
}

/** Sends mouse and wheel events. A drag also sends events from outside the picture. */
export function watchPointer(link: Link, screen: Screen, pressed: () => void): void {
  const canvas = byId('screen')
  let held = 0
  const moves = throttle<MouseEvent>(moveMs, (event) => sendMouse('move', event))
  const turn = createWheel(link, screen)

  function sendMouse(does: 'move' | 'down' | 'up', event: MouseEvent): void {
    const heldButton = names.find((_, at) => held & [1, 4, 2][at]!)
    const button = does === 'move' ? (heldButton ?? 'none') : (names[event.button] ?? 'none')
    const clicks = does === 'move' ? 0 : Math.min(event.detail, 3)
    const point = screen.pointOf(event)
    link.send({ type: 'mouse', do: does, ...point, button, buttons: event.buttons & 7, clicks, mods: modsOf(event) })
  }

  canvas.addEventListener('mousedown', (event) => {
    if (!isInControl()) return
    event.preventDefault()
    pressed()
    moves.flush()
    held = event.buttons
    sendMouse('down', event)
  })
  addEventListener('mousemove', (event) => {
    if (isInControl() && (held !== 0 || event.target === canvas)) moves.put(() => event)
  })
  addEventListener('mouseup', (event) => {
    if (held === 0) return
    moves.flush()
    sendMouse('up', event)
    held = event.buttons
  })
  canvas.addEventListener('contextmenu', (event) => {
    if (isInControl()) event.preventDefault()
  })
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!isInControl()) return
      event.preventDefault()
      const unit = (wheelUnits[event.deltaMode] ?? 1) * (event.deltaMode === 0 ? screen.scale() : 1)
      turn(event, { x: event.deltaX * unit, y: event.deltaY * unit }, modsOf(event))
    },
    { passive: false },
  )
}

/** Returns a function that scrolls by page pixels. Calls within `moveMs` are sent as one event. */
function createWheel(link: Link, screen: Screen) {
  const wheels = throttle<ViewerActionOf<'wheel'>>(moveMs, (message) => link.send(message))
  return (at: ClientPoint, { x, y }: { x: number; y: number }, mods = 0) => {
    const message = { type: 'wheel', ...screen.pointOf(at), mods } as const
    wheels.put((last) => ({ ...message, dx: (last?.dx ?? 0) + x, dy: (last?.dy ?? 0) + y }))
  }
}

const doubleMs = 350
/** The speed of a scroll is multiplied by this with each frame after the finger is lifted. */
const friction = 0.94
const slowPx = 0.5

/**
 * Sends touches as mouse events: a tap as a click, a long press as a right click, a long press with a move as a drag.
 */
export function watchTouch(link: Link, screen: Screen): void {
  const canvas = byId('screen')
  const scrolling = createScrolling(link, screen)
  let lastTap = { at: -Infinity, spot: { clientX: 0, clientY: 0 }, clicks: 0 }
  const drags = throttle<ClientPoint>(moveMs, (spot) => mouse('move', spot))

  function mouse(does: 'move' | 'down' | 'up', spot: ClientPoint): void {
    const buttons = does === 'up' ? 0 : 1
    link.send({ type: 'mouse', do: does, ...screen.pointOf(spot), button: 'left', buttons, clicks: 1, mods: 0 })
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
      link.send({ type: 'tap', ...screen.pointOf(spot), button: 'left', clicks })
    },
    press: (spot) => link.send({ type: 'tap', ...screen.pointOf(spot), button: 'right', clicks: 1 }),
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

/** Scrolls by wheel events, and continues ever more slowly after the finger is lifted. */
function createScrolling(link: Link, screen: Screen) {
  let speed = { x: 0, y: 0 }
  let frame = 0
  const wheel = createWheel(link, screen)
  const turn = (from: ClientPoint, { x, y }: { x: number; y: number }) =>
    wheel(from, { x: x * screen.scale(), y: y * screen.scale() })

  function glide(from: ClientPoint): void {
    speed = { x: speed.x * friction, y: speed.y * friction }
    if (Math.hypot(speed.x, speed.y) < slowPx) return
    turn(from, speed)
    frame = requestAnimationFrame(() => glide(from))
  }

  return {
    by(from: ClientPoint, by: { x: number; y: number }): void {
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

type ClientPoint = { clientX: number; clientY: number }
type GestureCallbacks = {
  tap(spot: ClientPoint): void
  press(spot: ClientPoint): void
  drag(phase: 'start' | 'move' | 'end', spot: ClientPoint): void
  /** Start of the touch, and distance in window pixels. */
  scroll(from: ClientPoint, by: { x: number; y: number }): void
  scrolled(from: ClientPoint): void
  pan(by: { x: number; y: number }): void
}

const restMs = 500
const nearPx = 10

const areFar = (one: ClientPoint, other: ClientPoint) =>
  Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) > nearPx

/** Recognises tap, long press, long press and drag, scroll, and pan with two fingers, while `isOn`. */
function watchGestures(element: HTMLElement, isOn: () => boolean, callbacks: GestureCallbacks): void {
  let doing: 'nothing yet' | 'scroll' | 'rest' | 'drag' | 'pan' = 'nothing yet'
  let start: ClientPoint = { clientX: 0, clientY: 0 }
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
      callbacks.drag('start', start)
    }
    if (doing === 'nothing yet' || doing === 'rest') return
    const by = { x: before.clientX - now.clientX, y: before.clientY - now.clientY }
    before = now
    if (doing === 'pan') callbacks.pan(by)
    else if (doing === 'drag') callbacks.drag('move', now)
    else callbacks.scroll(start, by)
  }

  function finish({ touches, type }: TouchEvent): void {
    if (touches.length > 0) return
    clearTimeout(resting)
    const wasCut = type === 'touchcancel'
    if (doing === 'drag') callbacks.drag('end', before)
    else if (doing === 'scroll') callbacks.scrolled(start)
    else if (doing === 'nothing yet' && !wasCut) callbacks.tap(start)
    else if (doing === 'rest' && !wasCut) callbacks.press(start)
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

/** Calls `use` at most once per `ms`, with the values merged since the last call. */
function throttle<T>(ms: number, use: (value: T) => void) {
  let waiting: { value: T } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let at = -ms
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!waiting) return
    const { value } = waiting
    waiting = undefined
    at = performance.now()
    use(value)
  }
  return {
    put(merge: (before: T | undefined) => T): void {
      waiting = { value: merge(waiting?.value) }
      timer ??= setTimeout(flush, Math.max(0, at + ms - performance.now()))
    },
    flush,
  }
}
