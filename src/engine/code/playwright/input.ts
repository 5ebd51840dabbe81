import { createKeyboard as createCdpKeyboard } from '../../browser/input/keyboard.ts'
import { findKey, type Key, keyNamed, modifiersNamed } from '../../browser/input/keys.ts'
import { createMouse as createCdpMouse, type MouseButton } from '../../browser/input/mouse.ts'
import type { InputSender } from '../../browser/input/pace.ts'
import type { PageCore } from './core.ts'

type PressOptions = { button?: MouseButton; clickCount?: number; delay?: number; modifiers?: readonly string[] }

/** Unreferenced, so that an abandoned wait does not keep the process alive. */
export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

/** Mouse and keyboard of one page, named as in Playwright (https://playwright.dev/docs/api/class-mouse). */
export function createInput(core: PageCore) {
  const session: InputSender = {
    send: async (method, params, signal) => (await core.session()).send(method, params, signal),
  }
  const keyboard = createCdpKeyboard(session)
  const mouse = createCdpMouse(session, { heldModifiers: keyboard.heldModifiers })
  return { mouse: createMouse(core, mouse), keyboard: createKeyboard(core, keyboard) }
}

function createMouse(core: PageCore, mouse: ReturnType<typeof createCdpMouse>) {
  const click = async (x: number, y: number, { delay, ...options }: PressOptions = {}) => {
    await mouse.click({ x, y }, { ...pressed(options), delayMs: delay })
    await core.settled()
  }
  return {
    move: (x: number, y: number, { steps = 1 }: { steps?: number } = {}) => mouse.move({ x, y }, { steps }),
    down: (options: PressOptions = {}) => mouse.down(pressed(options)),
    up: (options: PressOptions = {}) => mouse.up(pressed(options)),
    click,
    dblclick: (x: number, y: number, options: PressOptions = {}) => click(x, y, { ...options, clickCount: 2 }),
    wheel: (deltaX: number, deltaY: number) => mouse.wheel(deltaX, deltaY),
  }
}
export type Mouse = ReturnType<typeof createMouse>

const pressed = ({ button, clickCount, modifiers }: PressOptions) => ({
  button,
  clickCount,
  modifiers: modifiers && modifiersNamed(modifiers),
})

function createKeyboard(core: PageCore, keyboard: ReturnType<typeof createCdpKeyboard>) {
  return {
    down: async (name: string) => keyboard.down(requireKey(name)),
    up: async (name: string) => keyboard.up(requireKey(name)),
    async press(shortcut: string, { delay }: { delay?: number } = {}) {
      await keyboard.press(findKey(shortcut) ?? unknownKey(shortcut), { delayMs: delay })
      await core.settled()
    },
    insertText: (text: string) => keyboard.insertText(text),
    async type(text: string, { delay }: { delay?: number } = {}) {
      await keyboard.type(text, { delayMs: delay })
      await core.settled()
    },
  }
}
export type Keyboard = ReturnType<typeof createKeyboard>

const requireKey = (name: string): Key => keyNamed(name) ?? unknownKey(name)
const unknownKey = (name: string): never => {
  throw new Error(`Unknown key: "${name}"`)
}
