import type { Locator } from '../../api/locator.ts'
import type { Page } from '../../api/page.ts'
import { CommandError, needed, numberOf } from './arguments.ts'
import type { CommandScope, Said } from './scope.ts'

type Way = (page: Page, value: string, options: ReadonlyMap<string, string>) => Locator
const exactly = (options: ReadonlyMap<string, string>) => ({ exact: options.has('exact') })

const ways: Readonly<Record<string, Way>> = {
  role: (page, value, options) =>
    page.getByRole(value, { ...exactly(options), ...(options.has('name') && { name: options.get('name')! }) }),
  text: (page, value, options) => page.getByText(value, exactly(options)),
  label: (page, value, options) => page.getByLabel(value, exactly(options)),
  placeholder: (page, value, options) => page.getByPlaceholder(value, exactly(options)),
  alt: (page, value, options) => page.getByAltText(value, exactly(options)),
  title: (page, value, options) => page.getByTitle(value, exactly(options)),
  testid: (page, value) => page.getByTestId(value),
  first: (page, value) => page.locator(value).first(),
  last: (page, value) => page.locator(value).last(),
}

/** `find role button click --name Submit`, `find nth 2 a text`. */
export async function find(scope: CommandScope): Promise<Said> {
  const { page, options } = scope
  const [kind = '', ...rest] = scope.words
  const isNth = kind === 'nth'
  const way = ways[kind]
  if (!way && !isNth) throw new CommandError(`Use one of: ${Object.keys(ways).join(' ')} nth.`)
  const value = needed(rest, isNth ? 1 : 0, 'value')
  const [action = 'click', ...given] = rest.slice(isNth ? 2 : 1)
  const locator = way ? way(page, value, options).first() : page.locator(value).nth(numberOf(rest[0], 0))
  return act(locator, action, given.join(' '))
}

async function act(locator: Locator, action: string, text: string): Promise<Said> {
  if (action === 'text') return locator.innerText()
  if (action === 'fill') await locator.fill(text)
  else if (action === 'type') await locator.type(text)
  else if (action === 'click' || action === 'dblclick' || action === 'hover' || action === 'focus')
    await locator[action]()
  else if (action === 'check' || action === 'uncheck') await locator[action]()
  else throw new CommandError(`There is no action ${action}: click dblclick fill type hover focus check uncheck text.`)
  return '✓ Done'
}
