import type { ViewState, ShownTab } from '../messages.ts'
import { createButton, byId, isInControl } from './elements.ts'
import { focusKeys } from './keyboard.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'

const larger = 2.2

/** Tabs, address and the buttons around it. */
export function createToolbar(link: Link, screen: Screen): { show(shown: ViewState): void } {
  const [back, forward] = [byId<HTMLButtonElement>('back'), byId<HTMLButtonElement>('forward')]
  const [reload, zoom] = [byId('reload'), byId('zoom')]
  const showAddress = watchAddress(link)
  const showTabs = createTabRow(link)
  let isLoading = false

  back.addEventListener('click', () => link.send({ type: 'go', where: 'back' }))
  forward.addEventListener('click', () => link.send({ type: 'go', where: 'forward' }))
  reload.addEventListener('click', () => link.send({ type: 'go', where: isLoading ? 'stop' : 'reload' }))
  byId('keyboard').addEventListener('click', focusKeys)
  zoom.addEventListener('click', () => {
    const isLarge = zoom.ariaPressed !== 'true'
    zoom.ariaPressed = String(isLarge)
    screen.zoom(isLarge ? larger : 1)
  })

  const showFit = watchFit(link)

  return {
    show(shown) {
      showFit(shown.isFitted)
      isLoading = shown.loading
      document.body.classList.toggle('loading', isLoading)
      reload.ariaLabel = isLoading ? 'Stop' : 'Reload'
      back.disabled = !shown.back
      forward.disabled = !shown.forward
      showTabs(shown)
      showAddress(shown.tabs.find(({ id }) => id === shown.watching)?.url ?? '')
    },
  }
}

/** Has the page laid out for this screen rather than for a large one, which would be small to read here. */
function watchFit(link: Link): (isFitted: boolean) => void {
  const [button, stage] = [byId('fit'), byId('stage')]
  const isOn = () => button.ariaPressed === 'true'
  const ask = () => {
    const [width, height] = [clamp(stage.clientWidth), clamp(stage.clientHeight)]
    link.send({ type: 'fit', size: { width, height } })
  }
  button.addEventListener('click', () => (isOn() ? link.send({ type: 'fit' }) : ask()))
  addEventListener('orientationchange', () => {
    if (isOn()) setTimeout(ask, turnMs)
  })
  return (isFitted) => (button.ariaPressed = String(isFitted))
}

const clamp = (side: number) => Math.max(200, Math.min(1600, Math.round(side)))
/** A turned phone takes a moment to lay itself out. */
const turnMs = 400

function watchAddress(link: Link): (url: string) => void {
  const field = byId<HTMLInputElement>('address')
  let shown = ''
  byId('bar').addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isInControl() || field.value.trim() === '') return
    link.send({ type: 'open', address: field.value.slice(0, 8000) })
    focusKeys()
  })
  field.addEventListener('focus', () => field.select())
  field.addEventListener('blur', () => (field.value = shown))
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' && key !== 'F6') return
    field.blur()
    focusKeys()
  })
  return (url) => {
    shown = url === 'about:blank' ? '' : url
    field.readOnly = !isInControl()
    // Never while somebody types in it.
    if (document.activeElement !== field) field.value = shown
  }
}

/** The row of tabs, rebuilt only when something has changed, so that the focus stays. */
function createTabRow(link: Link): (shown: ViewState) => void {
  const row = byId('tabs')
  const cross = byId<HTMLTemplateElement & HTMLElement>('close').content.firstElementChild as HTMLButtonElement
  let current = ''

  function tabOf({ id, title, url }: ShownTab, watching: string | undefined): HTMLElement {
    const name = url === 'about:blank' || url === '' ? 'New tab' : title || url.replace(/^https?:\/\//, '')
    const tab = createButton(name, () => link.send({ type: 'watch', tab: id }))
    const close = () => link.send({ type: 'closeTab', tab: id })
    tab.id = `tab-${id}`
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

  byId('new-tab').addEventListener('click', () => link.send({ type: 'newTab' }))
  return ({ tabs, watching }) => {
    const now = JSON.stringify([tabs, watching, isInControl()])
    if (now === current) return
    current = now
    row.replaceChildren(...tabs.map((each) => tabOf(each, watching)))
    // Their buttons to close them are none of its tabs.
    byId('tab-list').setAttribute('aria-owns', tabs.map(({ id }) => `tab-${id}`).join(' '))
    row.querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const title = tabs.find(({ id }) => id === watching)?.title
    document.title = title ? `${title} – Live view` : 'Live view'
  }
}
