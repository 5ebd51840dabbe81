import type { CdpMethods } from '../../browser/cdp/methods.ts'
import { keyEvent as keyEventOf, typing } from '../../browser/input/keys.ts'
import type { ViewerActionOf } from './messages.ts'

/** KeyboardEvent.DOM_KEY_LOCATION_NUMPAD */
const keypad = 3

/** A key as the browser would have had it from a keyboard. */
export function keyEvent(said: ViewerActionOf<'key'>): CdpMethods['Input.dispatchKeyEvent']['params'] {
  const { key, code, vk, mods, place } = said
  return {
    ...keyEventOf(said.do, typing({ key, code, windowsVirtualKeyCode: vk }), mods),
    autoRepeat: said.repeat,
    isKeypad: place === keypad,
    location: place === keypad ? 0 : place,
  }
}

/** Whether the key opens the popup of the field that has focus. */
export function opensPopup({ do: does, key, mods, repeat }: ViewerActionOf<'key'>): boolean {
  if (does !== 'down' || repeat) return false
  return (key === ' ' && mods === 0) || key === 'F4' || (mods === 1 && /^Arrow(?:Up|Down)$/.test(key))
}
