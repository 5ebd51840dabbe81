import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import type { CdpMethod, CdpParams } from '../cdp/cdp-session.ts'

/** Speed of mouse and keys: as fast as possible, or like a person. */
export type Pace = 'machine' | 'person'

type InputMethod = Extract<CdpMethod, `Input.${string}`>
export type InputSender = {
  send<M extends InputMethod>(method: M, params: CdpParams<M>, signal?: AbortSignal): Promise<unknown>
}

const between = (min: number, max: number) => min + Math.random() * (max - min)

async function hesitate(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace === 'person') await sleep(between(30, 120), undefined, { signal })
}

/** Position in CSS pixels from the top left corner of the viewport. */
export type Point = { x: number; y: number }
type MouseButton = 'left' | 'middle' | 'right'
export type PressOptions = {
  /** The left button by default. */
  button?: MouseButton | undefined
  /** 2 for the second press of a double click. */
  clickCount?: number | undefined
}

type MouseEvent = Protocol.Input.DispatchMouseEventRequest
type MouseAction = 'move' | 'down' | 'up' | 'wheel'

const eventTypes = {
  move: 'mouseMoved',
  down: 'mousePressed',
  up: 'mouseReleased',
  wheel: 'mouseWheel',
} as const satisfies Record<MouseAction, MouseEvent['type']>
const buttonBits: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4 }

/** Initial pointer position if a person is imitated. */
const personStart: Point = { x: 20, y: 20 }
const stepsOfPerson = 12

export function dispatchMouse(
  session: InputSender,
  action: MouseAction,
  event: Omit<MouseEvent, 'type'>,
  signal?: AbortSignal,
): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', { type: eventTypes[action], ...event }, signal)
}

/** The mouse of one page. It remembers its position and the pressed buttons. */
export function createMouse(session: InputSender, { pace = 'machine' }: { pace?: Pace } = {}) {
  let position = pace === 'person' ? personStart : { x: 0, y: 0 }
  const pressed = new Set<MouseButton>()

  async function send(action: MouseAction, event: Partial<MouseEvent>, signal?: AbortSignal): Promise<void> {
    const buttons = Array.from(pressed).reduce((sum, button) => sum | buttonBits[button], 0)
    await dispatchMouse(session, action, { ...position, buttons, ...event }, signal)
  }

  async function press(action: 'down' | 'up', options: PressOptions = {}, signal?: AbortSignal): Promise<void> {
    const { button = 'left', clickCount = 1 } = options
    if (action === 'down') pressed.add(button)
    else pressed.delete(button)
    await send(action, { button, clickCount }, signal)
  }

  const mouse = {
    /** Moves in `steps` straight steps; without a number in a single step, or along a curve if a person is imitated. */
    async move(to: Point, { steps }: { steps?: number | undefined } = {}, signal?: AbortSignal) {
      const isCurved = steps === undefined && pace === 'person'
      const [button] = pressed
      for (const point of isCurved ? curvedPath(position, to) : straightPath(position, to, steps ?? 1)) {
        position = point
        await send('move', button ? { button } : {}, signal)
        if (isCurved) await sleep(between(6, 18), undefined, { signal })
      }
    },
    down: (options?: PressOptions, signal?: AbortSignal) => press('down', options, signal),
    up: (options?: PressOptions, signal?: AbortSignal) => press('up', options, signal),
    async click(at: Point, { clickCount = 1, ...options }: PressOptions = {}, signal?: AbortSignal) {
      await mouse.move(at, {}, signal)
      for (let count = 1; count <= clickCount; count++) {
        await hesitate(pace, signal)
        try {
          const down = mouse.down({ ...options, clickCount: count }, signal)
          if (pace === 'person') await down.then(() => hesitate(pace, signal))
          // Press and release are sent together, so that a page has no time to move the element away between them.
          await Promise.all([down, mouse.up({ ...options, clickCount: count }, signal)])
        } finally {
          // A page that hangs during the press must not leave the button down for the next move.
          pressed.delete(options.button ?? 'left')
        }
      }
    },
  }
  return mouse
}

function straightPath(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps
    return index === steps - 1 ? to : { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t }
  })
}

/** Returns points on a quadratic Bézier curve, closer together towards its end, like a hand movement. */
function curvedPath(from: Point, to: Point): Point[] {
  const pull = { x: (from.x + to.x) / 2 + between(-40, 40), y: (from.y + to.y) / 2 + between(-40, 40) }
  return Array.from({ length: stepsOfPerson }, (_, index) => {
    const t = 1 - (1 - (index + 1) / stepsOfPerson) ** 2
    const at = (axis: 'x' | 'y') => (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * pull[axis] + t ** 2 * to[axis]
    return index === stepsOfPerson - 1 ? to : { x: at('x'), y: at('y') }
  })
}

/** A key with its DOM names (UI Events KeyboardEvent `key` and `code`). Without `text` it types nothing. */
type Key = { key: string; code: string; windowsVirtualKeyCode: number; text?: string }
/** A key and the bits of the modifiers held during the press. */
type Shortcut = { key: Key; modifiers: number }

/** Bits of the modifier keys in `Input.dispatchKeyEvent` and `Input.dispatchMouseEvent`. */
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 }
const [alt, ctrlOrMeta, shift] = [1, 2 | 4, 8]

const namedKeys: Readonly<Record<string, readonly [code: string, keyCode: number]>> = {
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
export const deleteKey: Shortcut = { key: { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 }, modifiers: 0 }
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

/** Keys of a US keyboard without a letter: `signs` are what they type alone and with Shift. */
const signKeys: readonly (readonly [code: string, keyCode: number, signs: string])[] = [
  ['Space', 32, ' '],
  ['Semicolon', 186, ';:'],
  ['Equal', 187, '=+'],
  ['Comma', 188, ',<'],
  ['Minus', 189, '-_'],
  ['Period', 190, '.>'],
  ['Slash', 191, '/?'],
  ['Backquote', 192, '`~'],
  ['BracketLeft', 219, '[{'],
  ['Backslash', 220, '\\|'],
  ['BracketRight', 221, ']}'],
  ['Quote', 222, '\'"'],
  ...Array.from(')!@#$%^&*(', (sign, digit) => [`Digit${digit}`, 48 + digit, `${digit}${sign}`] as const),
]

/** Returns a key by Playwright's name (`Enter`, `a`, `KeyA`) or an alias; undefined if there is none. */
function keyNamed(name: string): Key | undefined {
  const canonical = aliases[name.toUpperCase()] ?? name.replace(/^(?:Key|Digit)(?=.$)/, '')
  const known = Object.entries(namedKeys).find(([each]) => each.toLowerCase() === canonical.toLowerCase())
  if (known) {
    const [key, [code, windowsVirtualKeyCode]] = known
    return withText({ key, code, windowsVirtualKeyCode })
  }
  if (Array.from(canonical).length !== 1) return undefined
  const upper = canonical.toUpperCase()
  const [code, windowsVirtualKeyCode] = /^[A-Z]$/.test(upper)
    ? ([`Key${upper}`, upper.charCodeAt(0)] as const)
    : (signKeys.find(([, , signs]) => signs.includes(canonical)) ?? ['', 0])
  return withText({ key: canonical, code, windowsVirtualKeyCode })
}

/** Adds the text that a key types, if it types any. */
export function withText(key: Omit<Key, 'text'>): Key {
  const text = key.key === 'Enter' ? '\r' : Array.from(key.key).length === 1 ? key.key : undefined
  return { ...key, ...(text !== undefined && { text }) }
}

/** Returns the shortcut for a name such as `Enter`, `a` or `Control+A`; undefined if there is none. */
export function findKey(name: string): Shortcut | undefined {
  const keys = (name.length > 1 ? name.split(/\+(?=.)/) : [name]).map(keyNamed)
  const modifiers = keys.slice(0, -1).map((key) => key && modifierBits[key.key])
  const key = keys.at(-1)
  if (!key || modifiers.includes(undefined)) return undefined
  const held = modifiers.reduce<number>((sum, bit) => sum | (bit ?? 0), 0)
  // People write Control+K for the lower-case key; with Shift the letter becomes upper case when pressed.
  const isCommand = (held & ~shift) !== 0 && Array.from(key.key).length === 1
  return { key: isCommand ? withText({ ...key, key: key.key.toLowerCase() }) : key, modifiers: held }
}

const modifierBit = ({ key }: Key): number => modifierBits[key] ?? 0

/** Returns the modifier keys for the bits, in the order in which they are pressed. */
function modifierKeys(bits: number): Key[] {
  const names = Object.keys(modifierBits).filter((name) => ((modifierBits[name] ?? 0) & bits) !== 0)
  return names.flatMap((name) => keyNamed(name) ?? [])
}

type KeyEvent = Protocol.Input.DispatchKeyEventRequest

/** `place` is the `location` of the key (DOM KeyboardEvent); `repeat` is set while the key is held down. */
type KeyOptions = { place?: number; repeat?: boolean }

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

/** Returns the key with what it types while Shift is held; a key without a character is unchanged. */
const shifted = (key: Key): Key => {
  if (Array.from(key.key).length !== 1) return key
  const sign = signKeys.find(([, , [alone]]) => alone === key.key)?.[2][1]
  return withText({ ...key, key: sign ?? key.key.toUpperCase() })
}

const commands: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', y: 'redo' }

/** Returns the command of an editing shortcut, because a browser without a window has no menu that handles it. */
function editingCommand(key: string, modifiers: number): string | undefined {
  if ((modifiers & ctrlOrMeta) === 0 || (modifiers & alt) !== 0) return undefined
  const letter = key.toLowerCase()
  if ((modifiers & shift) !== 0) return letter === 'z' ? 'redo' : undefined
  return Object.hasOwn(commands, letter) ? commands[letter] : undefined
}

export function dispatchKey(
  session: InputSender,
  action: 'down' | 'up',
  key: Key,
  modifiers: number,
  how: KeyOptions & { signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  return session.send('Input.dispatchKeyEvent', keyEvent(action, key, modifiers, how), how.signal)
}

/** Length in characters above which text is inserted instead of typed. */
const maxTyped = 300

export function createKeyboard(session: InputSender, pace: Pace = 'machine') {
  const send = async (action: 'down' | 'up', key: Key, modifiers: number, signal?: AbortSignal) => {
    await dispatchKey(session, action, (modifiers & shift) === 0 ? key : shifted(key), modifiers, { signal })
  }

  const keyboard = {
    /** Presses and releases a key, with the modifiers of its shortcut held. */
    async press({ key, modifiers }: Shortcut, signal?: AbortSignal) {
      const around = modifierKeys(modifiers)
      let down = 0
      for (const modifier of around) await send('down', modifier, (down |= modifierBit(modifier)), signal)
      await send('down', key, down | modifierBit(key), signal)
      await send('up', key, down, signal)
      for (const modifier of around.reverse()) await send('up', modifier, (down &= ~modifierBit(modifier)), signal)
    },
    /** Presses a key for each character of a US keyboard, and inserts other characters. Inserts a long text at once. */
    async write(text: string, signal?: AbortSignal) {
      if (text.length > maxTyped) return keyboard.insertText(text, signal)
      for (const character of text.replaceAll('\r\n', '\n')) {
        const key = keyOn(character)
        if (key) await keyboard.press({ key, modifiers: 0 }, signal)
        else await keyboard.insertText(character, signal)
        await hesitate(pace, signal)
      }
    },
    async insertText(text: string, signal?: AbortSignal) {
      await session.send('Input.insertText', { text }, signal)
    },
  }
  return keyboard
}

const keyOn = (character: string) =>
  character === '\n' ? keyNamed('Enter') : /^[ -~]$/.test(character) ? keyNamed(character) : undefined
