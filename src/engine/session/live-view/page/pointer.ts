import type { ViewerActionOf } from '../messages.ts'
import { byId, isInControl, throttle } from './elements.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'

const names = ['left', 'middle', 'right'] as const
const moveMs = 30
/** Pixels per pixel, line and page of a wheel, by `deltaMode`. */
const wheelUnits = [1, 40, 600]

export function modsOf(event: MouseEvent | KeyboardEvent | WheelEvent): number {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)
}

/** Sends mouse and wheel events; a held button is followed outside of the picture. */
export function watchPointer(link: Link, screen: Screen, pressed: () => void): void {
  const canvas = byId('screen')
  let held = 0
  const moves = throttle<MouseEvent>(moveMs, (event) => sendMouse('move', event))
  const wheels = throttle<ViewerActionOf<'wheel'>>(moveMs, (message) => link.send(message))

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
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
      const message = { type: 'wheel', ...screen.pointOf(event), mods: modsOf(event) } as const
      wheels.put((before) => ({ ...message, dx: (before?.dx ?? 0) + dx, dy: (before?.dy ?? 0) + dy }))
    },
    { passive: false },
  )
}
