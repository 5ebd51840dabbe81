import type { Doing } from './stage.ts'
import { ActError } from '../types.ts'
import { navigate } from './navigation.ts'

export const tab: Doing<'tab'> = async (stage, { do: wish, tab: id, url }, signal) => {
  const { tabs } = stage
  if (wish === 'open') {
    const opened = await tabs.open(signal)
    return url === undefined ? {} : navigate({ ...stage, tab: opened }, { type: 'navigate', url }, signal)
  }
  const done =
    wish === 'list' || (await (wish === 'switch' ? tabs.switchTo : tabs.close)(id ?? current(await tabs.list())))
  const list = (await tabs.list()).map((each) =>
    `${each.id}${each.isCurrent ? ' (current)' : ''} ${each.title} ${each.url}`.slice(0, 200),
  )
  if (!done) throw new ActError(`There is no tab ${id}. Tabs: ${list.join('; ')}.`)
  return { extracted: list.join('\n') }
}

const current = (list: readonly { id: string; isCurrent: boolean }[]) =>
  list.find(({ isCurrent }) => isCurrent)?.id ?? ''

export const dialog: Doing<'dialog'> = async (stage, { accept, text }) => {
  const how = await stage.tab.dialogs.answer({ accept, ...(text !== undefined && { text }) })
  return how === 'answered' ? {} : { remark: 'none is open: this is for the next one' }
}
