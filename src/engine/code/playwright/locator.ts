import { createActions, type InputDevices, read } from './actions.ts'
import { isNavigating, rejectUnknown } from './errors.ts'
import { evaluateGiven, heldInPage, inPage, valueOf } from './evaluate.ts'
import { createHandle, type Handle } from './handle.ts'
import type { Pattern, Step } from '../../page-script/code/find.ts'
import { parseSelector, patternOf } from './steps.ts'
import { becomeReady, poll, type Target, type TimeLimit } from './target.ts'

type State = 'attached' | 'detached' | 'visible' | 'hidden'
type Actions = ReturnType<typeof createActions>
type Queries = ReturnType<typeof createQueries>
// oxlint-disable-next-line typescript/consistent-type-definitions -- a type alias may not lead back to itself
export interface Locator extends Builders<Locator>, Actions, Queries {
  readonly [hasLocator]: readonly Step[]
  first(): Locator
  last(): Locator
  nth(index: number): Locator
  filter(options: TextOptions & { visible?: boolean }): Locator
  and(other: Locator): Locator
  or(other: Locator): Locator
  all(): Promise<Locator[]>
  contentFrame(): Locator
  toString(): string
}

/** A locator finds its elements anew at every use (https://playwright.dev/docs/api/class-locator). */
export function createLocator(target: Target, devices: InputDevices): Locator {
  const { steps, saying } = target
  const next = (more: readonly Step[], said: string) =>
    createLocator({ ...target, steps: [...steps, ...more], saying: `${saying}.${said}` }, devices)
  const nth = (index: number, said: string) => next([{ by: 'nth', index }], said)
  const queries = createQueries(target, devices)
  const own = {
    [hasLocator]: steps,
    first: () => nth(0, 'first()'),
    last: () => nth(-1, 'last()'),
    nth: (index: number) => nth(index, `nth(${index})`),
    filter: (options: TextOptions & { visible?: boolean } = {}) => next(filterSteps(options), 'filter(…)'),
    and: (other: Locator) => next([{ by: 'both', way: other[hasLocator] }], 'and(…)'),
    or: (other: Locator) =>
      createLocator(
        { ...target, steps: [{ by: 'either', ways: [steps, other[hasLocator]] }], saying: `${saying}.or(…)` },
        devices,
      ),
    all: async () => Array.from({ length: await queries.count() }, (_, index) => nth(index, `nth(${index})`)),
    contentFrame: () => next([{ by: 'frame' }], 'contentFrame()'),
    toString: () => saying,
  }
  const builders = createBuilders(next)
  return rejectUnknown('locator', { ...builders, ...createActions(target, devices, 'locator'), ...queries, ...own })
}

const filterSteps = ({ visible, ...options }: TextOptions & { visible?: boolean }): Step[] => [
  ...textSteps(options),
  ...(visible === undefined ? [] : [{ by: 'filter', with: { isVisible: visible } } as const]),
]
function createQueries(target: Target, devices: InputDevices) {
  const { core, steps, root } = target
  const all = async <T>(what: string) =>
    (await inPage(await core.session(), 'readElements', [steps, what, ''], root)) as T
  const one = async <T>(name: string, what: string, limit?: TimeLimit, attribute?: string) => {
    await becomeReady(target, `locator.${name}`, ['attached'], limit)
    return (await read(target, what, attribute)) as T
  }
  const handle = async (limit?: TimeLimit): Promise<Handle> => {
    await becomeReady(target, 'locator.elementHandle', ['attached'], limit)
    return createHandle(
      core,
      (await heldInPage(await core.session(), 'readElements', [steps, 'first', ''], root))!,
      devices,
    )
  }
  return {
    count: () => all<number>('count'),
    allTextContents: () => all<string[]>('texts'),
    allInnerTexts: () => all<string[]>('innerTexts'),
    isVisible: () => all<boolean>('visible'),
    isHidden: async () => !(await all<boolean>('visible')),
    textContent: (limit?: TimeLimit) => one<string | null>('textContent', 'textContent', limit),
    innerText: (limit?: TimeLimit) => one<string>('innerText', 'innerText', limit),
    innerHTML: (limit?: TimeLimit) => one<string>('innerHTML', 'innerHTML', limit),
    inputValue: (limit?: TimeLimit) => one<string>('inputValue', 'value', limit),
    getAttribute: (name: string, limit?: TimeLimit) => one<string | null>('getAttribute', 'attribute', limit, name),
    isChecked: (limit?: TimeLimit) => one<boolean>('isChecked', 'checked', limit),
    isDisabled: (limit?: TimeLimit) => one<boolean>('isDisabled', 'disabled', limit),
    isEnabled: async (limit?: TimeLimit) => !(await one('isEnabled', 'disabled', limit)),
    isEditable: (limit?: TimeLimit) => one<boolean>('isEditable', 'editable', limit),
    boundingBox: (limit?: TimeLimit) => one('boundingBox', 'box', limit),
    elementHandle: handle,
    async waitFor({ state = 'visible', timeout }: TimeLimit & { state?: State } = {}): Promise<void> {
      if (state === 'attached' || state === 'visible')
        return void (await becomeReady(target, 'locator.waitFor', [state], { timeout }))
      await untilGone(target, state, timeout)
    },
    async evaluate(fn: string | (() => unknown), argument?: unknown, limit?: TimeLimit) {
      return (await handle(limit)).evaluate(fn, argument)
    },
    async evaluateAll(fn: string | (() => unknown), argument?: unknown) {
      const session = await core.session()
      const found = await heldInPage(session, 'readElements', [steps, 'elements', ''], root)
      return valueOf(await evaluateGiven(session, fn, [createHandle(core, found!, devices), argument], 'value'))
    },
  }
}

/** Waits until no element matches, or none that is visible. */
export function untilGone(target: Target, state: 'detached' | 'hidden', timeout?: number): Promise<true> {
  const { core, steps, root, saying } = target
  const what = state === 'hidden' ? 'visible' : 'count'
  return poll('locator.waitFor', timeout ?? core.timeouts.action, async () => {
    const seen = await inPage(await core.session(), 'readElements', [steps, what, ''], root).catch(
      (thrown: unknown) => {
        if (isNavigating(thrown)) return true
        throw thrown
      },
    )
    return seen ? { why: `waiting for ${saying} to be ${state}` } : { found: true as const }
  })
}

/** Locators carry their steps under this key, so that other locators can be built from them. */
const hasLocator = Symbol('steps')
type HasSteps = { readonly [hasLocator]: readonly Step[] }

type TextOptions = {
  hasText?: string | RegExp
  hasNotText?: string | RegExp
  has?: HasSteps
  hasNot?: HasSteps
}
type Exact = { exact?: boolean }
type RoleOptions = Exact & {
  name?: string | RegExp
  level?: number
  checked?: boolean
  disabled?: boolean
  expanded?: boolean
  pressed?: boolean
  selected?: boolean
  includeHidden?: boolean
}
type Builders<L> = {
  locator(selector: string | L, options?: TextOptions): L
  frameLocator(selector: string): L
  getByText(text: string | RegExp, options?: Exact): L
  getByLabel(text: string | RegExp, options?: Exact): L
  getByPlaceholder(text: string | RegExp, options?: Exact): L
  getByAltText(text: string | RegExp, options?: Exact): L
  getByTitle(text: string | RegExp, options?: Exact): L
  getByTestId(id: string | RegExp): L
  getByRole(role: string, options?: RoleOptions): L
}

/** The `getBy…` methods of pages and locators; `next` takes the added steps and their source text. */
export function createBuilders<L extends HasSteps>(next: (steps: readonly Step[], said: string) => L): Builders<L> {
  const by =
    (kind: 'text' | 'label' | 'placeholder' | 'alt' | 'title' | 'testid', name: string) =>
    (text: string | RegExp, { exact = kind === 'testid' }: Exact = {}) =>
      next([{ by: kind, pattern: patternOf(text, exact) }], `${name}(${shown(text)})`)
  return {
    locator(selector, options = {}) {
      const steps = typeof selector === 'string' ? parseSelector(selector) : selector[hasLocator]
      return next([...steps, ...textSteps(options)], `locator(${typeof selector === 'string' ? shown(selector) : '…'})`)
    },
    frameLocator: (selector) => next([...parseSelector(selector), { by: 'frame' }], `frameLocator(${shown(selector)})`),
    getByText: by('text', 'getByText'),
    getByLabel: by('label', 'getByLabel'),
    getByPlaceholder: by('placeholder', 'getByPlaceholder'),
    getByAltText: by('alt', 'getByAltText'),
    getByTitle: by('title', 'getByTitle'),
    getByTestId: by('testid', 'getByTestId'),
    getByRole(role, { name, exact = false, level, includeHidden: _hidden, ...states } = {}) {
      const named = name === undefined ? '' : `, { name: ${shown(name)} }`
      const step: Step = {
        by: 'role',
        role,
        states,
        ...(name !== undefined && { name: patternOf(name, exact) }),
        ...(level !== undefined && { level }),
      }
      return next([step], `getByRole(${shown(role)}${named})`)
    },
  }
}

function textSteps({ hasText, hasNotText, has, hasNot }: TextOptions): Step[] {
  const given = {
    text: pattern(hasText),
    notText: pattern(hasNotText),
    has: has?.[hasLocator],
    hasNot: hasNot?.[hasLocator],
  }
  return Object.values(given).some((each) => each !== undefined) ? [{ by: 'filter', with: given }] : []
}

const pattern = (text: string | RegExp | undefined): Pattern | undefined =>
  text === undefined ? undefined : patternOf(text)
const shown = (text: string | RegExp) => (typeof text === 'string' ? `'${text}'` : String(text))
