/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Shown, ShownTab } from '../messages.ts'
import { button, byId, isInControl } from './elements.ts'
import type { Link } from './link.ts'

/** The row of tabs, made anew only when something of it is new, so that the focus stays. */
export function createTabRow(link: Link): (shown: Shown) => void {
  const row = byId('tabs')
  const cross = byId<HTMLTemplateElement & HTMLElement>('close').content.firstElementChild as HTMLButtonElement
  let told = ''

  function tabOf({ id, title, url }: ShownTab, watching: string | undefined): HTMLElement {
    const name = url === 'about:blank' || url === '' ? 'New tab' : title || url.replace(/^https?:\/\//, '')
    const tab = button(name, () => link.say({ type: 'watch', tab: id }))
    const close = () => link.say({ type: 'closeTab', tab: id })
    tab.role = 'tab'
    tab.ariaSelected = String(id === watching)
    tab.title = name
    tab.addEventListener('auxclick', close)
    const closing = cross.cloneNode(true) as HTMLButtonElement
    closing.hidden = !isInControl()
    closing.ariaLabel = `Close ${name}`
    closing.addEventListener('click', close)
    const made = document.createElement('div')
    made.className = id === watching ? 'tab now' : 'tab'
    made.append(tab, closing)
    return made
  }

  byId('new-tab').addEventListener('click', () => link.say({ type: 'newTab' }))
  return ({ tabs, watching }) => {
    const now = JSON.stringify([tabs, watching, isInControl()])
    if (now === told) return
    told = now
    row.replaceChildren(...tabs.map((each) => tabOf(each, watching)))
    row.querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const title = tabs.find(({ id }) => id === watching)?.title
    document.title = title ? `${title} – Live view` : 'Live view'
  }
}
