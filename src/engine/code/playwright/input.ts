import type { Session } from '../../browser/cdp/session.ts'
import { findKey } from '../../browser/input/input.ts'
import type { PageCore } from './core.ts'

type Button = 'left' | 'right' | 'middle'
type PressOptions = { button?: Button; clickCount?: number; delay?: number; modifiers?: readonly string[] }

const buttonBits: Record<Button, number> = { left: 1, right: 2, middle: 4 }
const modifierBits: Record<string, number> = { Alt: 1, Control: 2, ControlOrMeta: 2, Meta: 4, Shift: 8 }
/** Keeps nobody alive: what waits may have been given up. */
export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())
const bitsOf = (names: readonly string[] = []) => names.reduce((sum, name) => sum | (modifierBits[name] ?? 0), 0)

/** Mouse and keyboard of one page, with the keys that are held down. */
export function createInput(core: PageCore) {
  const holding = new Set<string>()
  return { mouse: createMouse(core, holding), keyboard: createKeyboard(core, holding) }
}

function createMouse(core: PageCore, holding: ReadonlySet<string>) {
  const at = core.mouse
  let buttons = 0
  const send = async (
    type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel',
    more: { button?: Button; clickCount?: number; deltaX?: number; deltaY?: number; modifiers?: number } = {},
  ) => {
    const modifiers = more.modifiers ?? bitsOf([...holding])
    await (
      await core.session()
    ).send('Input.dispatchMouseEvent', { type, x: at.x, y: at.y, buttons, ...more, modifiers })
  }
  const mouse = {
    async move(x: number, y: number, { steps = 1, modifiers }: { steps?: number; modifiers?: number } = {}) {
      const { x: fromX, y: fromY } = at
      for (let step = 1; step <= steps; step++) {
        Object.assign(at, { x: fromX + ((x - fromX) * step) / steps, y: fromY + ((y - fromY) * step) / steps })
        await send('mouseMoved', modifiers === undefined ? {} : { modifiers })
      }
    },
    async down({ button = 'left', clickCount = 1, modifiers }: PressOptions = {}) {
      buttons |= buttonBits[button]
      await send('mousePressed', { button, clickCount, ...(modifiers && { modifiers: bitsOf(modifiers) }) })
    },
    async up({ button = 'left', clickCount = 1, modifiers }: PressOptions = {}) {
      buttons &= ~buttonBits[button]
      await send('mouseReleased', { button, clickCount, ...(modifiers && { modifiers: bitsOf(modifiers) }) })
    },
    async click(x: number, y: number, { clickCount = 1, delay = 0, ...options }: PressOptions = {}) {
      await mouse.move(x, y)
      for (let count = 1; count <= clickCount; count++) {
        await mouse.down({ ...options, clickCount: count })
        if (delay > 0) await pause(delay)
        await mouse.up({ ...options, clickCount: count })
      }
      await core.settled()
    },
    dblclick: (x: number, y: number, options: PressOptions = {}) => mouse.click(x, y, { ...options, clickCount: 2 }),
    wheel: (deltaX: number, deltaY: number) => send('mouseWheel', { deltaX, deltaY }),
  }
  return mouse
}
export type Mouse = ReturnType<typeof createMouse>

function createKeyboard(core: PageCore, holding: Set<string>) {
  const keyboard = {
    async down(name: string) {
      if (modifierBits[name]) holding.add(name === 'ControlOrMeta' ? 'Control' : name)
      await keyDown(await core.session(), name, bitsOf([...holding]))
    },
    async up(name: string) {
      holding.delete(name === 'ControlOrMeta' ? 'Control' : name)
      const { text: _, ...key } = keyOf(name)
      await (
        await core.session()
      ).send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, modifiers: bitsOf([...holding]) })
    },
    async press(chord: string, { delay = 0 }: { delay?: number } = {}) {
      const names = chord.length > 1 ? chord.split(/\+(?=.)/) : [chord]
      // Before anything is held: a key that does not exist presses nothing.
      names.forEach((name) => keyOf(name === 'ControlOrMeta' ? 'Control' : name))
      for (const name of names) await keyboard.down(name)
      if (delay > 0) await pause(delay)
      for (const name of names.reverse()) await keyboard.up(name)
      await core.settled()
    },
    async insertText(text: string) {
      await (await core.session()).send('Input.insertText', { text })
    },
    /** Keys for what has a key, the rest put in as it is. */
    async type(text: string, { delay = 0 }: { delay?: number } = {}) {
      for (const character of text.replaceAll('\r\n', '\n')) {
        const name = character === '\n' ? 'Enter' : character
        if (character === '\n' || /^[ -~]$/.test(character)) {
          await keyboard.down(name)
          await keyboard.up(name)
        } else await keyboard.insertText(character)
        if (delay > 0) await pause(delay)
      }
      await core.settled()
    },
  }
  return keyboard
}
export type Keyboard = ReturnType<typeof createKeyboard>

function keyOf(name: string) {
  const plain = name === 'ControlOrMeta' ? 'Control' : name.replace(/^(?:Key|Digit)(?=.$)/, '')
  const found = name.includes('+') && name.length > 1 ? undefined : findKey(plain)
  if (!found) throw new Error(`Unknown key: "${name}"`)
  return found.key
}

/** With a modifier other than Shift, a letter is a command and writes nothing. */
async function keyDown(session: Session, name: string, modifiers: number): Promise<void> {
  const { text, ...key } = keyOf(name)
  const isShifted = (modifiers & 8) !== 0 && key.key.length === 1
  const shifted = isShifted ? { key: key.key.toUpperCase() } : {}
  const writes = text !== undefined && (modifiers & ~8) === 0
  const down = writes
    ? { type: 'keyDown' as const, text: isShifted ? text.toUpperCase() : text }
    : { type: 'rawKeyDown' as const }
  const commands = modifiers === 2 && key.key.toLowerCase() === 'a' ? { commands: ['selectAll'] } : {}
  await session.send('Input.dispatchKeyEvent', { ...key, ...shifted, ...down, ...commands, modifiers })
}
