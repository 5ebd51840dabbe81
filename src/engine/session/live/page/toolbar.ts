/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Shown } from '../messages.ts'
import { byId, isInControl } from './elements.ts'
import { focusKeys } from './keyboard.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'
import { createTabRow } from './tab-row.ts'

const larger = 2.2

/** Tabs, address and the buttons around it. */
export function createToolbar(link: Link, screen: Screen): { show(shown: Shown): void } {
  const [back, forward] = [byId<HTMLButtonElement>('back'), byId<HTMLButtonElement>('forward')]
  const [reload, zoom] = [byId('reload'), byId('zoom')]
  const showAddress = watchAddress(link)
  const showTabs = createTabRow(link)
  let isLoading = false

  back.addEventListener('click', () => link.say({ type: 'go', where: 'back' }))
  forward.addEventListener('click', () => link.say({ type: 'go', where: 'forward' }))
  reload.addEventListener('click', () => link.say({ type: 'go', where: isLoading ? 'stop' : 'reload' }))
  byId('keyboard').addEventListener('click', focusKeys)
  zoom.addEventListener('click', () => {
    const isLarge = zoom.ariaPressed !== 'true'
    zoom.ariaPressed = String(isLarge)
    screen.zoom(isLarge ? larger : 1)
  })

  return {
    show(shown) {
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

function watchAddress(link: Link): (url: string) => void {
  const field = byId<HTMLInputElement>('address')
  let shown = ''
  byId('bar').addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isInControl() || field.value.trim() === '') return
    link.say({ type: 'open', address: field.value.slice(0, 8000) })
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
    // Never under the hands of who types.
    if (document.activeElement !== field) field.value = shown
  }
}
