import { createActions, type InputDevices, read } from './actions.ts'
import type { PageCore } from './core.ts'
import { rejectUnknown } from './errors.ts'
import { evaluateGiven, held, heldInPage, type Remote, resultOf, valueOf } from './evaluate.ts'
import { parseSelector } from './steps.ts'
import type { Target } from './target.ts'

type Fn = string | (() => unknown)
export type Handle = ReturnType<typeof createActions> & {
  readonly [held]: Remote
  $(selector: string): Promise<Handle | null>
  $$(selector: string): Promise<Handle[]>
  $eval(selector: string, fn: Fn, argument?: unknown): Promise<unknown>
  $$eval(selector: string, fn: Fn, argument?: unknown): Promise<unknown>
  evaluate(fn: Fn, argument?: unknown): Promise<unknown>
  evaluateHandle(fn: Fn, argument?: unknown): Promise<Handle>
  asElement(): Handle
  jsonValue(): Promise<unknown>
  dispose(): Promise<void>
  textContent(): Promise<string | null>
  innerText(): Promise<string>
  innerHTML(): Promise<string>
  inputValue(): Promise<string>
  getAttribute(name: string): Promise<string | null>
  isVisible(): Promise<boolean>
  isHidden(): Promise<boolean>
  isChecked(): Promise<boolean>
  isDisabled(): Promise<boolean>
  isEnabled(): Promise<boolean>
  boundingBox(): Promise<unknown>
}

/** A handle to one object of a page, mostly an element. */
export function createHandle(core: PageCore, remote: Remote, devices: InputDevices): Handle {
  const target: Target = { core, steps: [], which: 'first', root: remote, saying: 'the element' }
  const one = <T>(what: string, name?: string) => read(target, what, name) as Promise<T>
  const evaluated = async (fn: Fn, given: readonly unknown[], as: 'value' | 'handle') =>
    evaluateGiven(await core.session(), fn, given, as)
  const handle: Handle = {
    ...createActions(target, devices, 'elementHandle'),
    [held]: remote,
    $: (selector) => findOne(target, selector, devices),
    $$: (selector) => findAll(target, selector, devices),
    $eval: (selector, fn, argument) => evaluateOn(target, selector, fn, argument, 'first', devices),
    $$eval: (selector, fn, argument) => evaluateOn(target, selector, fn, argument, 'elements', devices),
    evaluate: async (fn, argument) => valueOf(await evaluated(fn, [handle, argument], 'value')),
    evaluateHandle: async (fn, argument) =>
      handleOf(core, resultOf(await evaluated(fn, [handle, argument], 'handle')), devices),
    asElement: () => handle,
    jsonValue: async () => valueOf(await evaluated('(given) => given', [handle], 'value')),
    dispose: async () => void (await (await core.session()).send('Runtime.releaseObject', remote)),
    textContent: () => one('textContent'),
    innerText: () => one('innerText'),
    innerHTML: () => one('innerHTML'),
    inputValue: () => one('value'),
    getAttribute: (name) => one('attribute', name),
    isVisible: () => one('visible'),
    isHidden: async () => !(await one('visible')),
    isChecked: () => one('checked'),
    isDisabled: () => one('disabled'),
    isEnabled: async () => !(await one('disabled')),
    boundingBox: () => one('box'),
  }
  return rejectUnknown('elementHandle', handle)
}

/** Primitive values have no remote object; they get a handle all the same. */
export function handleOf(
  core: PageCore,
  object: { objectId?: string; value?: unknown },
  devices: InputDevices,
): Handle {
  const { objectId, value } = object
  if (objectId !== undefined) return createHandle(core, { objectId }, devices)
  return { jsonValue: async () => value, asElement: () => null, dispose: async () => {} } as unknown as Handle
}

const below = (target: Target, selector: string): Target => ({
  ...target,
  steps: [...target.steps, ...parseSelector(selector)],
})

export async function findOne(from: Target, selector: string, devices: InputDevices): Promise<Handle | null> {
  const { core, steps, root } = below(from, selector)
  const found = await heldInPage(await core.session(), 'readElements', [steps, 'first', ''], root)
  return found ? createHandle(core, found, devices) : null
}

export async function findAll(from: Target, selector: string, devices: InputDevices): Promise<Handle[]> {
  const { core, steps, root } = below(from, selector)
  const session = await core.session()
  const list = await heldInPage(session, 'readElements', [steps, 'elements', ''], root)
  const { result } = await session.send('Runtime.getProperties', { ...list!, ownProperties: true })
  return result.flatMap(({ name, value }) =>
    /^\d+$/.test(name) && value?.objectId !== undefined
      ? [createHandle(core, { objectId: value.objectId }, devices)]
      : [],
  )
}

export async function evaluateOn(
  from: Target,
  selector: string,
  fn: Fn,
  argument: unknown,
  what: 'first' | 'elements',
  devices: InputDevices,
): Promise<unknown> {
  const { core, steps, root } = below(from, selector)
  const session = await core.session()
  const found = await heldInPage(session, 'readElements', [steps, what, ''], root)
  if (!found) throw new Error(`$eval: Failed to find element matching selector "${selector}"`)
  return valueOf(await evaluateGiven(session, fn, [createHandle(core, found, devices), argument], 'value'))
}
