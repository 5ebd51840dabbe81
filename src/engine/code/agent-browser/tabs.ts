import { coreOf } from '../playwright/page.ts'
import { CommandError, type CommandScope, needed, type CommandOutput } from './arguments.ts'

/** `tab` lists the tabs; `tab new [URL]`, `tab 2`, `tab close [2]`. Indexes start at 0; `t1` is the first tab as well. */
export async function tab(scope: CommandScope): Promise<CommandOutput> {
  const { page, context, state, words } = scope
  const [what = 'list', word] = words
  const pages = context.pages()
  const at = (given: string) => {
    const index = /^t\d+$/.test(given) ? Number(given.slice(1)) - 1 : Number(given)
    const found = pages[index]
    if (!found) throw new CommandError(`There is no tab ${given}.`)
    return found
  }
  if (what === 'list') {
    const rows = await Promise.all(
      pages.map(async (each, index) => `${each === page ? '→' : ' '} [${index}] ${await each.title()} - ${each.url()}`),
    )
    return rows.join('\n')
  }
  if (what === 'new') {
    const opened = await context.newPage()
    state.pageId = opened[coreOf].targetId
    if (word !== undefined) await opened.goto(/^[a-z][a-z\d+.-]*:/i.test(word) ? word : `https://${word}`)
    return '✓ Done'
  }
  if (what === 'close') {
    const closing = word === undefined ? page : at(word)
    await closing.close()
    if (closing === page) state.pageId = undefined
    return '✓ Done'
  }
  const chosen = at(what)
  state.pageId = chosen[coreOf].targetId
  await chosen.bringToFront()
  return `✓ ${await chosen.title()}\n  ${chosen.url()}`
}

/** `cookies`, `cookies set NAME VALUE`, `cookies clear`. */
export async function cookies({
  page,
  context,
  words: [what = 'get', name, ...value],
}: CommandScope): Promise<CommandOutput> {
  if (what === 'clear') {
    await context.clearCookies()
    return '✓ Done'
  }
  if (what === 'set') {
    await context.addCookies([
      { name: needed([name!].filter(Boolean), 0, 'name'), value: value.join(' '), url: page.url() },
    ])
    return '✓ Done'
  }
  const all = await context.cookies(page.url())
  return { text: all.map((each) => `${each.name}=${each.value}`).join('\n'), data: { cookies: all } }
}
