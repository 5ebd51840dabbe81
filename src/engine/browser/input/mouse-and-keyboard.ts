import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import type { CdpMethod, CdpParams } from '../cdp/cdp-session.ts'
import {
  type Key,
  type KeyOptions,
  keyEvent,
  keyNamed,
  modifierBit,
  modifierKeys,
  shifted,
  type Shortcut,
} from './keyboard-keys.ts'

/** Speed of mouse and keys: as fast as possible, or like a person. */
export type Pace = 'machine' | 'person'

type InputMethod = Extract<CdpMethod, `Input.${string}`>
export type InputSender = {
  send<M extends InputMethod>(method: M, params: CdpParams<M>, signal?: AbortSignal): Promise<unknown>
}

const between = (least: number, most: number) => least + Math.random() * (most - least)

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

export function dispatchKey(
  session: InputSender,
  action: 'down' | 'up',
  key: Key,
  modifiers: number,
  how: KeyOptions & { signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  return session.send('Input.dispatchKeyEvent', keyEvent(action, key, modifiers, how), how.signal)
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
      const isBent = steps === undefined && pace === 'person'
      const [button] = pressed
      for (const point of isBent ? bentPath(position, to) : straightPath(position, to, steps ?? 1)) {
        position = point
        await send('move', button ? { button } : {}, signal)
        if (isBent) await sleep(between(6, 18), undefined, { signal })
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
          // Sent with the press, so that a page has no time to move the element away between them.
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

/** Returns a quadratic Bézier curve with a shifted middle that slows down towards its end, like a hand movement. */
function bentPath(from: Point, to: Point): Point[] {
  const pull = { x: (from.x + to.x) / 2 + between(-40, 40), y: (from.y + to.y) / 2 + between(-40, 40) }
  return Array.from({ length: stepsOfPerson }, (_, index) => {
    const t = 1 - (1 - (index + 1) / stepsOfPerson) ** 2
    const at = (axis: 'x' | 'y') => (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * pull[axis] + t ** 2 * to[axis]
    return index === stepsOfPerson - 1 ? to : { x: at('x'), y: at('y') }
  })
}

/** Length in characters above which text is inserted instead of typed. */
const maxTyped = 300

export function createKeyboard(session: InputSender, pace: Pace = 'machine') {
  const send = async (action: 'down' | 'up', key: Key, modifiers: number, signal?: AbortSignal) => {
    const isShifted = (modifiers & modifierBit({ key: 'Shift' })) !== 0
    await dispatchKey(session, action, isShifted ? shifted(key) : key, modifiers, { signal })
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
    /** Presses a key for each character of a US keyboard; inserts others, and a long text as from a clipboard. */
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
