import { parseSelector, type Pattern, patternOf, type Step } from './steps.ts'

/** Locators carry their steps under this name, so that others can be built of them. */
export const hasLocator = Symbol('steps')
type HasSteps = { readonly [hasLocator]: readonly Step[] }

export type TextOptions = {
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
export type Builders<L> = {
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

/** The ways to name elements, from a page or from other elements; `next` takes the further steps and how they were written. */
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

export function textSteps({ hasText, hasNotText, has, hasNot }: TextOptions): Step[] {
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
