import type { Point } from '../../page-script/page/elements.ts'
import type { Tab } from '../page/tab.ts'
import { hesitate, moveMouse } from './hand.ts'

/** A real click of the left mouse button, as a person's hand makes it. */
export async function pressMouse(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<void> {
  const { session } = tab
  const at = { x, y, button: 'left', clickCount: 1 } as const
  await moveMouse(tab, { x, y }, signal)
  await hesitate(tab, signal)
  await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: 1, ...at }, signal)
  await hesitate(tab, signal)
  await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }, signal)
}

/** Longer texts are put in at once, as from a clipboard. */
const maxTyped = 300

/** Writes into whatever has focus. Keys are pressed for what has a key, so that a page that listens for them notices. */
export async function writeText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  if (text.length > maxTyped) return insertText(tab, text, signal)
  for (const character of text.replaceAll('\r\n', '\n')) {
    const key = character === '\n' ? keyNamed('Enter') : keyNamed(character)
    const isOnKeyboard = character === '\n' || /^[ -~]$/.test(character)
    if (key && isOnKeyboard) await pressKey(tab, { key, modifiers: 0 }, signal)
    else await insertText(tab, character, signal)
    await hesitate(tab, signal)
  }
}

async function insertText({ session }: Tab, text: string, signal: AbortSignal): Promise<void> {
  await session.send('Input.insertText', { text }, signal)
}

type Key = { key: string; code: string; windowsVirtualKeyCode: number; text?: string }
type Chord = { key: Key; modifiers: number }

const named: Readonly<Record<string, readonly [code: string, keyCode: number, text?: string]>> = {
  Enter: ['Enter', 13, '\r'],
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
const otherNames: Readonly<Record<string, string>> = {
  RETURN: 'Enter',
  ESC: 'Escape',
  DEL: 'Delete',
  LEFT: 'ArrowLeft',
  RIGHT: 'ArrowRight',
  UP: 'ArrowUp',
  DOWN: 'ArrowDown',
  SPACE: ' ',
  CTRL: 'Control',
  CMD: 'Meta',
  COMMAND: 'Meta',
  OPTION: 'Alt',
}
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 }

/** The key behind a name such as `Enter`, `a` or `Control+A` (UI Events); undefined when there is none. */
export function findKey(name: string): Chord | undefined {
  const parts = name.length > 1 ? name.split(/\+(?=.)/) : [name]
  const keys = parts.map(keyNamed)
  const modifiers = keys.slice(0, -1).map((key) => (key ? modifierBits[key.key] : undefined))
  const key = keys.at(-1)
  if (!key || modifiers.includes(undefined)) return undefined
  return { key, modifiers: modifiers.reduce<number>((sum, bit) => sum | (bit ?? 0), 0) }
}

function keyNamed(name: string): Key | undefined {
  const usual = otherNames[name.toUpperCase()] ?? name
  const known = Object.entries(named).find(([each]) => each.toLowerCase() === usual.toLowerCase())
  if (known) {
    const [key, [code, windowsVirtualKeyCode, text]] = known
    return { key, code, windowsVirtualKeyCode, ...(text !== undefined && { text }) }
  }
  if (Array.from(usual).length !== 1) return undefined
  const upper = usual.toUpperCase()
  const code = /[A-Z]/.test(upper) ? `Key${upper}` : /\d/.test(upper) ? `Digit${upper}` : usual === ' ' ? 'Space' : ''
  return { key: usual, code, windowsVirtualKeyCode: code === '' ? 0 : upper.charCodeAt(0), text: usual }
}

/** Presses and lets go. With a modifier other than Shift, a letter is a command and writes nothing. */
export async function pressKey({ session }: Tab, { key, modifiers }: Chord, signal: AbortSignal): Promise<void> {
  const { text, ...rest } = modifiers & 8 ? shifted(key) : key
  const writes = text !== undefined && (modifiers & ~8) === 0
  const commands = modifiers === 2 && key.key.toLowerCase() === 'a' ? { commands: ['selectAll'] } : {}
  const down = writes ? ({ type: 'keyDown', text } as const) : ({ type: 'rawKeyDown' } as const)
  await session.send('Input.dispatchKeyEvent', { ...rest, ...down, ...commands, modifiers }, signal)
  await session.send('Input.dispatchKeyEvent', { ...rest, type: 'keyUp', modifiers }, signal)
}

const shifted = (key: Key): Key =>
  key.key.length === 1 ? { ...key, key: key.key.toUpperCase(), text: key.key.toUpperCase() } : key
