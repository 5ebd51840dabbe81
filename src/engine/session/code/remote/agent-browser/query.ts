import { CommandError, needed } from './arguments.ts'
import { elementOf } from './element.ts'
import type { CommandScope, Said } from './scope.ts'

type Query = (scope: CommandScope, selector: () => string) => Promise<unknown>

const queries: Readonly<Record<string, Query>> = {
  title: ({ page }) => page.title(),
  url: async ({ page }) => page.url(),
  text: async (scope, selector) => (await elementOf(scope, selector())).innerText(),
  html: async (scope, selector) => (await elementOf(scope, selector())).innerHTML(),
  value: async (scope, selector) => (await elementOf(scope, selector())).inputValue(),
  attr: async (scope, selector) =>
    (await elementOf(scope, selector())).getAttribute(needed(scope.words, 2, 'attribute name')),
  box: async (scope, selector) => (await elementOf(scope, selector())).boundingBox(),
  count: ({ page }, selector) => page.locator(selector()).count(),
  visible: async (scope, selector) => (await elementOf(scope, selector())).isVisible(),
  enabled: async (scope, selector) => (await elementOf(scope, selector())).isEnabled(),
  checked: async (scope, selector) => (await elementOf(scope, selector())).isChecked(),
}

/** `get text @e1`, `is visible .menu`. Text and HTML without a selector are those of the whole page. */
export async function query(scope: CommandScope): Promise<Said> {
  const [what = ''] = scope.words
  if (!Object.hasOwn(queries, what)) throw new CommandError(`Use one of: ${Object.keys(queries).join(' ')}.`)
  const isOfPage = what === 'text' || what === 'html'
  const selector = () => scope.words[1] ?? (isOfPage ? 'body' : needed(scope.words, 1, 'selector or @ref'))
  const value = await queries[what]!(scope, selector)
  return { text: typeof value === 'string' ? value : JSON.stringify(value ?? null), data: { [what]: value ?? null } }
}
