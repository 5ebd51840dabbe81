import type { Protocol } from 'devtools-protocol'

/** A key with its DOM names (UI Events KeyboardEvent `key` and `code`). Without `text` it types nothing. */
export type Key = { key: string; code: string; windowsVirtualKeyCode: number; text?: string }
/** A key and the bits of the modifiers held during the press. */
export type Shortcut = { key: Key; modifiers: number }

/** Bits of the modifier keys in `Input.dispatchKeyEvent` and `Input.dispatchMouseEvent`. */
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 }
const [alt, ctrlOrMeta, shift] = [1, 2 | 4, 8]

const named: Readonly<Record<string, readonly [code: string, keyCode: number]>> = {
  Enter: ['Enter', 13],
  Tab: ['Tab', 9],
  Escape: ['Escape', 27],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  Insert: ['Insert', 45],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  Shift: ['ShiftLeft', 16],
  Control: ['ControlLeft', 17],
  Alt: ['AltLeft', 18],
  Meta: ['MetaLeft', 91],
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, [`F${index + 1}`, 112 + index]])),
}
export const deleteKey: Shortcut = {
  key: { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 },
  modifiers: 0,
}
const aliases: Readonly<Record<string, string>> = {
  RETURN: 'Enter',
  ESC: 'Escape',
  DEL: 'Delete',
  LEFT: 'ArrowLeft',
  RIGHT: 'ArrowRight',
  UP: 'ArrowUp',
  DOWN: 'ArrowDown',
  SPACE: ' ',
  CTRL: 'Control',
  CONTROLORMETA: 'Control',
  CMD: 'Meta',
  COMMAND: 'Meta',
  OPTION: 'Alt',
}

/** Returns a key by Playwright's name (`Enter`, `a`, `KeyA`) or an alias; undefined if there is none. */
export function keyNamed(name: string): Key | undefined {
  const usual = aliases[name.toUpperCase()] ?? name.replace(/^(?:Key|Digit)(?=.$)/, '')
  const known = Object.entries(named).find(([each]) => each.toLowerCase() === usual.toLowerCase())
  if (known) {
    const [key, [code, windowsVirtualKeyCode]] = known
    return typing({ key, code, windowsVirtualKeyCode })
  }
  if (Array.from(usual).length !== 1) return undefined
  const upper = usual.toUpperCase()
  const code = /[A-Z]/.test(upper) ? `Key${upper}` : /\d/.test(upper) ? `Digit${upper}` : usual === ' ' ? 'Space' : ''
  return typing({ key: usual, code, windowsVirtualKeyCode: code === '' ? 0 : upper.charCodeAt(0) })
}

export function typing(key: Omit<Key, 'text'>): Key {
  const text = key.key === 'Enter' ? '\r' : Array.from(key.key).length === 1 ? key.key : undefined
  return { ...key, ...(text !== undefined && { text }) }
}

/** Returns the shortcut for a name such as `Enter`, `a` or `Control+A`; undefined if there is none. */
export function findKey(name: string): Shortcut | undefined {
  const keys = (name.length > 1 ? name.split(/\+(?=.)/) : [name]).map(keyNamed)
  const modifiers = keys.slice(0, -1).map((key) => key && modifierBits[key.key])
  const key = keys.at(-1)
  if (!key || modifiers.includes(undefined)) return undefined
  return { key, modifiers: modifiers.reduce<number>((sum, bit) => sum | (bit ?? 0), 0) }
}

export const modifierBit = ({ key }: Pick<Key, 'key'>): number => modifierBits[key] ?? 0

/** Returns the modifier keys for the bits, in the order in which they are pressed. */
export function modifierKeys(bits: number): Key[] {
  const names = Object.keys(modifierBits).filter((name) => ((modifierBits[name] ?? 0) & bits) !== 0)
  return names.flatMap((name) => keyNamed(name) ?? [])
}

type KeyEvent = Protocol.Input.DispatchKeyEventRequest

/** Position of a key on the keyboard (DOM KeyboardEvent `location`), and whether it is held down. */
export type KeyOptions = { place?: number; repeat?: boolean }

/** KeyboardEvent.DOM_KEY_LOCATION_NUMPAD */
const keypad = 3

/** Creates the event of a key. With a modifier other than Shift, a letter is a command and types nothing. */
export function keyEvent(action: 'down' | 'up', { text, ...plain }: Key, modifiers: number, how: KeyOptions): KeyEvent {
  const { place = 0, repeat = false } = how
  const isKeypad = place === keypad
  const key = { ...plain, autoRepeat: repeat, isKeypad, location: isKeypad ? 0 : place }
  if (action === 'up') return { ...key, type: 'keyUp', modifiers }
  const command = editingCommand(key.key, modifiers)
  const commands = command === undefined ? {} : { commands: [command] }
  const isTyped = text !== undefined && (modifiers & ~shift) === 0
  if (!isTyped) return { ...key, type: 'rawKeyDown', modifiers, ...commands }
  return { ...key, type: 'keyDown', text, unmodifiedText: text, modifiers }
}

/** Returns the key as changed by Shift, if it is a letter. */
export const shifted = (key: Key): Key =>
  Array.from(key.key).length === 1 ? typing({ ...key, key: key.key.toUpperCase() }) : key

const commands: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', y: 'redo' }

/** Returns the command of an editing shortcut, because a browser without a window has no menu that handles it. */
function editingCommand(key: string, modifiers: number): string | undefined {
  if ((modifiers & ctrlOrMeta) === 0 || (modifiers & alt) !== 0) return undefined
  const letter = key.toLowerCase()
  if ((modifiers & shift) !== 0) return letter === 'z' ? 'redo' : undefined
  return Object.hasOwn(commands, letter) ? commands[letter] : undefined
}
