import { createActions, type Hands, read } from './actions.ts'
import type { PageCore } from './core.ts'
import { telling } from './errors.ts'
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

/** One object of a page, mostly an element. */
export function createHandle(core: PageCore, remote: Remote, hands: Hands): Handle {
  const target: Target = { core, steps: [], which: 'first', root: remote, saying: 'the element' }
  const one = (what: string, name?: string) => read(target, what, name)
  const evaluated = async (fn: Fn, given: readonly unknown[], as: 'value' | 'handle') =>
    evaluateGiven(await core.session(), fn, given, as)
  const handle: Handle = {
    ...createActions(target, hands, 'elementHandle'),
    [held]: remote,
    $: (selector) => findOne(target, selector, hands),
    $$: (selector) => findAll(target, selector, hands),
    $eval: (selector, fn, argument) => evaluateOn(target, selector, fn, argument, 'first', hands),
    $$eval: (selector, fn, argument) => evaluateOn(target, selector, fn, argument, 'elements', hands),
    evaluate: async (fn, argument) => valueOf(await evaluated(fn, [handle, argument], 'value')),
    evaluateHandle: async (fn, argument) =>
      handleOf(core, resultOf(await evaluated(fn, [handle, argument], 'handle')), hands),
    asElement: () => handle,
    jsonValue: async () => valueOf(await evaluated('(given) => given', [handle], 'value')),
    dispose: async () => void (await (await core.session()).send('Runtime.releaseObject', remote)),
    textContent: () => one('textContent') as Promise<string | null>,
    innerText: () => one('innerText') as Promise<string>,
    innerHTML: () => one('innerHTML') as Promise<string>,
    inputValue: () => one('value') as Promise<string>,
    getAttribute: (name) => one('attribute', name) as Promise<string | null>,
    isVisible: () => one('visible') as Promise<boolean>,
    isHidden: async () => !(await one('visible')),
    isChecked: () => one('checked') as Promise<boolean>,
    isDisabled: () => one('disabled') as Promise<boolean>,
    isEnabled: async () => !(await one('disabled')),
    boundingBox: () => one('box'),
  }
  return telling('elementHandle', handle)
}

/** Plain values have no object in the page; they are wrapped all the same. */
export function handleOf(core: PageCore, object: { objectId?: string; value?: unknown }, hands: Hands): Handle {
  const { objectId, value } = object
  if (objectId !== undefined) return createHandle(core, { objectId }, hands)
  return { jsonValue: async () => value, asElement: () => null, dispose: async () => {} } as unknown as Handle
}

const below = (target: Target, selector: string): Target => ({
  ...target,
  steps: [...target.steps, ...parseSelector(selector)],
})

export async function findOne(from: Target, selector: string, hands: Hands): Promise<Handle | null> {
  const { core, steps, root } = below(from, selector)
  const found = await heldInPage(await core.session(), 'readElements', [steps, 'first', ''], root)
  return found ? createHandle(core, found, hands) : null
}

export async function findAll(from: Target, selector: string, hands: Hands): Promise<Handle[]> {
  const { core, steps, root } = below(from, selector)
  const session = await core.session()
  const list = await heldInPage(session, 'readElements', [steps, 'elements', ''], root)
  const { result } = await session.send('Runtime.getProperties', { ...list!, ownProperties: true })
  return result.flatMap(({ name, value }) =>
    /^\d+$/.test(name) && value?.objectId !== undefined
      ? [createHandle(core, { objectId: value.objectId }, hands)]
      : [],
  )
}

export async function evaluateOn(
  from: Target,
  selector: string,
  fn: Fn,
  argument: unknown,
  what: 'first' | 'elements',
  hands: Hands,
): Promise<unknown> {
  const { core, steps, root } = below(from, selector)
  const session = await core.session()
  const found = await heldInPage(session, 'readElements', [steps, what, ''], root)
  if (!found) throw new Error(`$eval: Failed to find element matching selector "${selector}"`)
  return valueOf(await evaluateGiven(session, fn, [createHandle(core, found, hands), argument], 'value'))
}
