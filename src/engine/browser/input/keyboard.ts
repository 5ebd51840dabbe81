import { setTimeout as sleep } from 'node:timers/promises'
import { type Key, keyEvent, keyNamed, modifierBit, modifierKeys, shifted, type Shortcut } from './keys.ts'
import { hesitate, type InputSender, type Pace } from './pace.ts'

/** The keyboard of one page. It remembers which modifier keys are held down. */
export type Keyboard = {
  /** Bits of the modifier keys that are held down. */
  heldModifiers(): number
  down(key: Key, signal?: AbortSignal): Promise<void>
  up(key: Key, signal?: AbortSignal): Promise<void>
  /** Presses and releases a key, and the modifiers of its shortcut around it. */
  press(shortcut: Shortcut, options?: { delayMs?: number | undefined }, signal?: AbortSignal): Promise<void>
  /** Presses a key for each character of a US keyboard, so that a page that listens for keys notices; inserts the others. */
  type(text: string, options?: { delayMs?: number | undefined }, signal?: AbortSignal): Promise<void>
  /** Types a short text, and inserts a long one at once, as from a clipboard. */
  write(text: string, signal?: AbortSignal): Promise<void>
  /** Puts text where the focus is, without any key. */
  insertText(text: string, signal?: AbortSignal): Promise<void>
}

/** Longer texts are not typed, characters. */
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

/** The key of a US keyboard that types a character. */
const keyOn = (character: string) =>
  character === '\n' ? keyNamed('Enter') : /^[ -~]$/.test(character) ? keyNamed(character) : undefined
