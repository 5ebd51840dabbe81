/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Spot = { clientX: number; clientY: number }
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

export const areFar = (one: Spot, other: Spot) =>
  Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) > nearPx

/** Tells what fingers do: tap, rest, scroll, rest and drag, move with two. `isOn` says whether they are wanted at all. */
export function watchGestures(element: HTMLElement, isOn: () => boolean, ears: GestureEars): void {
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
