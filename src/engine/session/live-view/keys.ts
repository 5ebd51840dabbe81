import type { CdpMethods } from '../../browser/cdp/methods.ts'
import type { ActOf } from './messages.ts'

const ctrlOrMeta = 2 | 4
const shift = 8
const keypad = 3

/** Keys that edit only with the command beside them: a browser without a window has no menu that would know them. */
const editing: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', y: 'redo' }

/** A key as the browser would have had it from a keyboard. */
export function keyEvent(said: ActOf<'key'>): CdpMethods['Input.dispatchKeyEvent']['params'] {
  const { key, code, vk, mods, place } = said
  const text = said.do === 'down' ? textOf(said) : undefined
  const command = said.do === 'down' ? commandOf(said) : undefined
  return {
    type: said.do === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    windowsVirtualKeyCode: vk,
    modifiers: mods,
    autoRepeat: said.repeat,
    isKeypad: place === keypad,
    location: place === keypad ? 0 : place,
    ...(text !== undefined && { text, unmodifiedText: text }),
    ...(command !== undefined && { commands: [command] }),
  }
}

function textOf({ key, mods }: ActOf<'key'>): string | undefined {
  if ((mods & ~shift) !== 0) return undefined
  if (key === 'Enter') return '\r'
  return Array.from(key).length === 1 ? key : undefined
}

function commandOf({ key, mods }: ActOf<'key'>): string | undefined {
  if ((mods & ctrlOrMeta) === 0 || (mods & 1) !== 0) return undefined
  const letter = key.toLowerCase()
  if ((mods & shift) !== 0) return letter === 'z' ? 'redo' : undefined
  return Object.hasOwn(editing, letter) ? editing[letter] : undefined
}

/** Whether the key opens the popup of the field that has focus. */
export function opensPopup({ do: does, key, mods, repeat }: ActOf<'key'>): boolean {
  if (does !== 'down' || repeat) return false
  return (key === ' ' && mods === 0) || key === 'F4' || (mods === 1 && /^Arrow(?:Up|Down)$/.test(key))
}
