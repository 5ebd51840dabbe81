import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import type { CdpMethod, CdpParams } from '../cdp/cdp-session.ts'
import { type Key, keyEvent, keyNamed, modifierBit, modifierKeys, shifted, type Shortcut } from './keyboard-keys.ts'

/** Speed of mouse and keys: as fast as possible, or like a person. */
export type Pace = 'machine' | 'person'

type InputMethod = Extract<CdpMethod, `Input.${string}`>
/** The part of a session that accepts input. */
export type InputSender = {
  send<M extends InputMethod>(method: M, params: CdpParams<M>, signal?: AbortSignal): Promise<unknown>
}

const between = (least: number, most: number) => least + Math.random() * (most - least)

/** Pauses like a person before the next key or button press; a machine does not pause. */
async function hesitate(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace === 'person') await sleep(between(30, 120), undefined, { signal })
}

/** Position in CSS pixels from the top left corner of the viewport. */
export type Point = { x: number; y: number }
export type MouseButton = 'left' | 'middle' | 'right'
export type PressOptions = {
  /** The left button by default. */
  button?: MouseButton | undefined
  /** 2 for the second press of a double click. */
  clickCount?: number | undefined
  /** Bits of modifier keys; by default the modifiers held on the keyboard. */
  modifiers?: number | undefined
}

/** The mouse of one page. It remembers its position and the pressed buttons. */
export type Mouse = {
  /** Moves in `steps` straight steps; without a number in a single step, or along a curve if a person is imitated. */
  move(to: Point, options?: { steps?: number | undefined }, signal?: AbortSignal): Promise<void>
  down(options?: PressOptions, signal?: AbortSignal): Promise<void>
  up(options?: PressOptions, signal?: AbortSignal): Promise<void>
  /** Moves to the point and presses the button `clickCount` times. */
  click(at: Point, options?: PressOptions & { delayMs?: number | undefined }, signal?: AbortSignal): Promise<void>
  /** Turns the wheel; distances in CSS pixels. */
  wheel(deltaX: number, deltaY: number, signal?: AbortSignal): Promise<void>
}

type MouseEvent = Protocol.Input.DispatchMouseEventRequest
export type MouseAction = 'move' | 'down' | 'up' | 'wheel'

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

/** Sends a single mouse event unchanged. */
export function dispatchMouse(
  session: InputSender,
  action: MouseAction,
  event: Omit<MouseEvent, 'type'>,
  signal?: AbortSignal,
): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', { type: eventTypes[action], ...event }, signal)
}

export function createMouse(
  session: InputSender,
  { pace = 'machine', heldModifiers = () => 0 }: { pace?: Pace; heldModifiers?: () => number } = {},
): Mouse {
  let position = pace === 'person' ? personStart : { x: 0, y: 0 }
  const pressed = new Set<MouseButton>()

  async function send(action: MouseAction, event: Partial<MouseEvent>, signal?: AbortSignal): Promise<void> {
    const buttons = Array.from(pressed).reduce((sum, button) => sum | buttonBits[button], 0)
    await dispatchMouse(session, action, { ...position, buttons, modifiers: heldModifiers(), ...event }, signal)
  }

  async function press(action: 'down' | 'up', options: PressOptions = {}, signal?: AbortSignal): Promise<void> {
    const { button = 'left', clickCount = 1, modifiers } = options
    if (action === 'down') pressed.add(button)
    else pressed.delete(button)
    await send(action, { button, clickCount, ...(modifiers !== undefined && { modifiers }) }, signal)
  }

  const mouse: Mouse = {
    async move(to, { steps } = {}, signal) {
      const isBent = steps === undefined && pace === 'person'
      const [button] = pressed
      for (const point of isBent ? bentPath(position, to) : straightPath(position, to, steps ?? 1)) {
        position = point
        await send('move', button ? { button } : {}, signal)
        if (isBent) await sleep(between(6, 18), undefined, { signal })
      }
    },
    down: (options, signal) => press('down', options, signal),
    up: (options, signal) => press('up', options, signal),
    async click(at, { clickCount = 1, delayMs = 0, ...options } = {}, signal) {
      await mouse.move(at, {}, signal)
      for (let count = 1; count <= clickCount; count++) {
        await hesitate(pace, signal)
        try {
          await mouse.down({ ...options, clickCount: count }, signal)
          if (delayMs > 0) await sleep(delayMs, undefined, { signal, ref: false })
          await hesitate(pace, signal)
          await mouse.up({ ...options, clickCount: count }, signal)
        } finally {
          // A page that hangs during the press must not leave the button down for the next move.
          pressed.delete(options.button ?? 'left')
        }
      }
    },
    wheel: (deltaX, deltaY, signal) => send('wheel', { deltaX, deltaY }, signal),
  }
  return mouse
}

function straightPath(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps
    return index === steps - 1 ? to : { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t }
  })
}

/** Returns a quadratic Bézier curve with a shifted middle that slows down towards its end, like a hand movement. */
function bentPath(from: Point, to: Point): Point[] {
  const pull = { x: (from.x + to.x) / 2 + between(-40, 40), y: (from.y + to.y) / 2 + between(-40, 40) }
  return Array.from({ length: stepsOfPerson }, (_, index) => {
    const t = 1 - (1 - (index + 1) / stepsOfPerson) ** 2
    const at = (axis: 'x' | 'y') => (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * pull[axis] + t ** 2 * to[axis]
    return index === stepsOfPerson - 1 ? to : { x: at('x'), y: at('y') }
  })
}

/** The keyboard of one page. It remembers which modifier keys are held. */
export type Keyboard = {
  /** Returns the bits of the modifier keys that are held. */
  heldModifiers(): number
  down(key: Key, signal?: AbortSignal): Promise<void>
  up(key: Key, signal?: AbortSignal): Promise<void>
  /** Presses and releases a key, with the modifiers of its shortcut held. */
  press(shortcut: Shortcut, options?: { delayMs?: number | undefined }, signal?: AbortSignal): Promise<void>
  /** Presses a key for each character of a US keyboard, so pages receive key events; inserts other characters. */
  type(text: string, options?: { delayMs?: number | undefined }, signal?: AbortSignal): Promise<void>
  /** Types a short text, and inserts a long one in a single step, as from a clipboard. */
  write(text: string, signal?: AbortSignal): Promise<void>
  /** Inserts text at the focus without key events. */
  insertText(text: string, signal?: AbortSignal): Promise<void>
}

/** Length in characters above which text is inserted instead of typed. */
const maxTyped = 300

export function createKeyboard(session: InputSender, pace: Pace = 'machine'): Keyboard {
  let held = 0
  const send = async (action: 'down' | 'up', key: Key, modifiers: number, signal?: AbortSignal) => {
    const isShifted = (modifiers & modifierBit({ key: 'Shift' })) !== 0
    await session.send('Input.dispatchKeyEvent', keyEvent(action, isShifted ? shifted(key) : key, modifiers), signal)
  }

  const keyboard: Keyboard = {
    heldModifiers: () => held,
    async down(key, signal) {
      held |= modifierBit(key)
      await send('down', key, held, signal)
    },
    async up(key, signal) {
      held &= ~modifierBit(key)
      await send('up', key, held, signal)
    },
    async press({ key, modifiers }, { delayMs = 0 } = {}, signal) {
      const around = modifierKeys(modifiers & ~held)
      let down = held
      for (const modifier of around) await send('down', modifier, (down |= modifierBit(modifier)), signal)
      await send('down', key, down | modifierBit(key), signal)
      if (delayMs > 0) await sleep(delayMs, undefined, { signal, ref: false })
      await send('up', key, down, signal)
      for (const modifier of around.reverse()) await send('up', modifier, (down &= ~modifierBit(modifier)), signal)
    },
    async type(text, { delayMs = 0 } = {}, signal) {
      for (const character of text.replaceAll('\r\n', '\n')) {
        const key = keyOn(character)
        if (key) await keyboard.press({ key, modifiers: 0 }, {}, signal)
        else await keyboard.insertText(character, signal)
        if (delayMs > 0) await sleep(delayMs, undefined, { signal, ref: false })
        await hesitate(pace, signal)
      }
    },
    write: (text, signal) =>
      text.length > maxTyped ? keyboard.insertText(text, signal) : keyboard.type(text, {}, signal),
    async insertText(text, signal) {
      await session.send('Input.insertText', { text }, signal)
    },
  }
  return keyboard
}

/** Returns the key of a US keyboard that types a character. */
const keyOn = (character: string) =>
  character === '\n' ? keyNamed('Enter') : /^[ -~]$/.test(character) ? keyNamed(character) : undefined
