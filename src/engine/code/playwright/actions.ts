import type { Need } from '../../page-script/code/actionable.ts'
import { inPage } from './evaluate.ts'
import type { Keyboard, Mouse } from './input.ts'
import { screenshot, type ScreenshotOptions } from './screenshot.ts'
import { becomeReady, poll, type Target, type TimeLimit } from './target.ts'

export type InputDevices = { mouse: Mouse; keyboard: Keyboard }
type ClickOptions = TimeLimit & {
  button?: 'left' | 'right' | 'middle'
  clickCount?: number
  delay?: number
  force?: boolean
  modifiers?: readonly string[]
  position?: { x: number; y: number }
  trial?: boolean
}
type Choice = string | { value?: string; label?: string; index?: number }

const pointed = ['visible', 'enabled', 'pointed'] as const
const editable = ['visible', 'enabled', 'editable'] as const

/** Shared by all actions on one target. */
function createActionContext(target: Target, devices: InputDevices, kind: string) {
  const changed = async (what: string, given?: unknown) => {
    const came = await inPage(
      await target.core.session(),
      'changeElement',
      [target.steps, what, given ?? null],
      target.root,
    )
    if (typeof came === 'object' && came !== null && 'fault' in came) throw new Error(`${kind}: ${String(came.fault)}`)
    return came
  }
  const ready = (name: string, needs: readonly Need[], limit?: TimeLimit) =>
    becomeReady(target, `${kind}.${name}`, needs, limit)
  return {
    target,
    devices,
    kind,
    changed,
    ready,
    /** Waits until the element is actionable, then performs one action on it. */
    async once(name: string, what: string, needs: readonly Need[], limit?: TimeLimit, given?: unknown): Promise<void> {
      await ready(name, needs, limit)
      await changed(what, given)
    },
  }
}
type ActionContext = ReturnType<typeof createActionContext>

/** Actions on an element, named as in Playwright (https://playwright.dev/docs/api/class-locator). */
export function createActions(target: Target, devices: InputDevices, kind: string) {
  const tools = createActionContext(target, devices, kind)
  return { ...pointerActions(tools), ...textActions(tools), ...otherActions(tools) }
}

function pointerActions({ target, devices, kind, ready, changed }: ActionContext) {
  const isChecked = async () => Boolean(await read(target, 'checked'))

  async function click(options: ClickOptions = {}, name = 'click'): Promise<void> {
    const { x, y } = await ready(name, options.force ? ['visible'] : pointed, options)
    if (options.force) return void (await changed('click'))
    const at = options.position ? await shifted(target, options.position) : { x, y }
    if (!options.trial) await devices.mouse.click(at.x, at.y, options)
  }

  async function setChecked(isWanted: boolean, options: ClickOptions = {}, name = 'setChecked'): Promise<void> {
    await ready(name, ['attached'], options)
    if ((await isChecked()) === isWanted) return
    await click(options, name)
    if ((await isChecked()) !== isWanted)
      throw new Error(`${kind}.${name}: Clicking the checkbox did not change its state`)
  }

  return {
    click: (options?: ClickOptions) => click(options),
    dblclick: (options?: ClickOptions) => click({ ...options, clickCount: 2 }, 'dblclick'),
    tap: (options?: ClickOptions) => click(options, 'tap'),
    async hover(options?: ClickOptions) {
      const { x, y } = await ready('hover', ['visible', 'pointed'], options)
      await devices.mouse.move(x, y)
    },
    check: (options?: ClickOptions) => setChecked(true, options, 'check'),
    uncheck: (options?: ClickOptions) => setChecked(false, options, 'uncheck'),
    setChecked: (isWanted: boolean, options?: ClickOptions) => setChecked(isWanted, options),
  }
}

type KeyOptions = TimeLimit & { delay?: number }

function textActions({ devices, ready, changed, once }: ActionContext) {
  const type = async (name: string, text: string, options?: KeyOptions) => {
    await once(name, 'focus', ['visible'], options)
    await devices.keyboard.type(text, options)
  }
  return {
    async fill(text: string, options?: TimeLimit) {
      await ready('fill', editable, options)
      if ((await changed('fill', text)) !== 'type') return
      await changed('select-text')
      if (text === '') await devices.keyboard.press('Delete')
      else await devices.keyboard.insertText(text)
    },
    async clear(options?: TimeLimit) {
      await once('clear', 'select-text', editable, options)
      await devices.keyboard.press('Delete')
    },
    type: (text: string, options?: KeyOptions) => type('type', text, options),
    pressSequentially: (text: string, options?: KeyOptions) => type('pressSequentially', text, options),
    async press(key: string, options?: KeyOptions) {
      await once('press', 'focus', ['visible'], options)
      await devices.keyboard.press(key, options)
    },
    selectText: (options?: TimeLimit) => once('selectText', 'select-text', ['visible'], options),
  }
}

function otherActions({ target, kind, ready, changed, once }: ActionContext) {
  return {
    async selectOption(choice: Choice | readonly Choice[] | null, options: TimeLimit = {}) {
      const wanted = [choice ?? []].flat().map((each) => (typeof each === 'string' ? { value: each } : each))
      await ready('selectOption', ['visible', 'enabled'], options)
      const chosen = await poll(`${kind}.selectOption`, options.timeout ?? target.core.timeouts.action, async () => {
        const came = await changed('options', wanted)
        return came === 'wait' ? { why: 'did not find some options' } : { found: came as string[] }
      })
      await target.core.settled()
      return chosen
    },
    focus: (options?: TimeLimit) => once('focus', 'focus', ['attached'], options),
    blur: (options?: TimeLimit) => once('blur', 'blur', ['attached'], options),
    scrollIntoViewIfNeeded: (options?: TimeLimit) => once('scrollIntoViewIfNeeded', 'scroll', ['attached'], options),
    dispatchEvent: (type: string, _init?: unknown, options?: TimeLimit) =>
      once('dispatchEvent', 'dispatch', ['attached'], options, type),
    async screenshot(options: ScreenshotOptions & TimeLimit = {}) {
      await once('screenshot', 'scroll', ['visible'], options)
      const box = (await read(target, 'box')) as Box
      return screenshot(await target.core.session(), { ...options, clip: box })
    },
  }
}
type Box = { x: number; y: number; width: number; height: number }

/** Reads a property of the first matching element without waiting. */
export async function read(target: Target, what: string, name?: string): Promise<unknown> {
  return inPage(await target.core.session(), 'readElements', [target.steps, what, name ?? ''], target.root)
}

async function shifted(target: Target, { x, y }: { x: number; y: number }) {
  const box = (await read(target, 'box')) as Box
  return { x: box.x + x, y: box.y + y }
}
