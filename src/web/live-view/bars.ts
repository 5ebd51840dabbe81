import type { ViewState, ShownTab } from '../../engine/session/live-view/messages.ts'
import { byId, createElement, createForm, isInControl } from '../page-elements.ts'
import { focusKeys } from './keyboard-input.ts'
import type { Link } from './link.ts'
import type { Screen } from './picture.ts'

/** Scale of the picture while zoomed. */
const zoomed = 2.2

export function createToolbar(link: Link, screen: Screen) {
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
    screen.zoom(isLarge ? zoomed : 1)
  })

  const fit = watchFit(link)

  return {
    greet: fit.greet,
    show(shown: ViewState): void {
      fit.show(shown.isFitted)
      isLoading = shown.loading
      document.body.classList.toggle('loading', isLoading)
      reload.title = isLoading ? 'Stop' : 'Reload'
      back.disabled = !shown.back
      forward.disabled = !shown.forward
      showTabs(shown)
      showAddress(shown.tabs.find(({ id }) => id === shown.watching)?.url ?? '')
    },
  }
}

/** Lays out the page for the screen of the viewer: on a phone, a page for a large screen would be too small to read. */
function watchFit(link: Link) {
  const [button, stage] = [byId('fit'), byId('stage')]
  const isOn = () => button.ariaPressed === 'true'
  const ask = () => {
    const [width, height] = [clamp(stage.clientWidth), clamp(stage.clientHeight)]
    link.send({ type: 'fit', size: { width, height } })
  }
  // On a phone, fitting is requested at the start, without a click.
  let isWanted = matchMedia('(pointer: coarse) and (max-width: 600px)').matches
  button.addEventListener('click', () => {
    isWanted = !isOn()
    if (isWanted) ask()
    else link.send({ type: 'fit' })
  })
  addEventListener('orientationchange', () => {
    if (isOn()) setTimeout(ask, turnMs)
  })
  return {
    show: (isFitted: boolean) => void (button.ariaPressed = String(isFitted)),
    greet() {
      if (isWanted && isInControl()) ask()
    },
  }
}

const clamp = (side: number) => Math.max(200, Math.min(1600, Math.round(side)))
/** Time that a phone needs for its own layout after it was turned. */
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
    // The user may be typing an address.
    if (document.activeElement !== field) field.value = shown
  }
}

/** Row of tabs. It is rebuilt only after a change, so that its buttons keep the focus. */
function createTabRow(link: Link): (shown: ViewState) => void {
  const row = byId('tabs')
  const cross = byId<HTMLTemplateElement & HTMLElement>('close').content.firstElementChild as HTMLButtonElement
  let current = ''

  function tabOf({ id, title, url }: ShownTab, watching: string | undefined): HTMLElement {
    const name = url === 'about:blank' || url === '' ? 'New tab' : title || url.replace(/^https?:\/\//, '')
    const isNow = id === watching
    const close = () => link.send({ type: 'closeTab', tab: id })
    const watch = () => link.send({ type: 'watch', tab: id })
    const facts = { id: `tab-${id}`, role: 'tab', ariaSelected: String(isNow), title: name } as const
    const tab = createElement('button', { ...facts, type: 'button', onclick: watch, onauxclick: close }, name)
    const closing = cross.cloneNode(true) as HTMLButtonElement
    Object.assign(closing, { hidden: !isInControl(), title: `Close ${name}`, onclick: close })
    return createElement('div', { className: isNow ? 'tab now' : 'tab' }, tab, closing)
  }

  byId('new-tab').addEventListener('click', () => link.send({ type: 'newTab' }))
  return ({ tabs, watching }) => {
    const now = JSON.stringify([tabs, watching, isInControl()])
    if (now === current) return
    current = now
    row.replaceChildren(...tabs.map((each) => tabOf(each, watching)))
    // The close buttons do not belong to the tab list.
    byId('tab-list').setAttribute('aria-owns', tabs.map(({ id }) => `tab-${id}`).join(' '))
    row.querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const title = tabs.find(({ id }) => id === watching)?.title
    document.title = title ? `${title} – Live view` : 'Live view'
  }
}

/** Remaining time below which the clock warns that the session ends soon. */
const soonMs = 60_000

/** Status strip: activity and requests of the agent, remaining time, and who is in control. */
export function createStrip(link: Link) {
  const [hold, left] = [byId('hold'), byId('left')]
  const showRequest = createRequest(link)
  let held: ViewState['held']
  let endsAt = Infinity

  hold.addEventListener('click', () =>
    link.send(held === 'you' ? { type: 'giveBack' } : { type: 'takeOver', again: false }),
  )
  byId('extend').addEventListener('click', () => link.send({ type: 'extend' }))
  confirmEnd(link)

  function count(): void {
    const leftMs = endsAt - Date.now()
    if (leftMs === Infinity) return
    left.textContent = `${clockOf(leftMs)} left`
    left.title = 'Then the session ends by itself, unless somebody uses it.'
    left.classList.toggle('soon', leftMs < soonMs)
  }
  setInterval(count, 1000)

  return {
    show(shown: ViewState): void {
      held = shown.held
      hold.textContent = held === 'you' ? 'Give back' : 'Take over'
      hold.title = held === 'you' ? 'The agent continues' : 'The agent waits until you give it back'
      document.body.dataset['held'] = held ?? (shown.doing ? 'agent' : 'nobody')
      byId('does').textContent = statusText(shown)
      showRequest(shown.request)
    },
    time(leftMs: number): void {
      endsAt = Date.now() + leftMs
      count()
    },
    /** Called after reconnecting: requests the control again that the viewer had before. */
    greet(): void {
      if (held === 'you') link.send({ type: 'takeOver', again: true })
    },
  }
}

function statusText({ doing, held, waits }: Pick<ViewState, 'doing' | 'held' | 'waits'>): string {
  if (held) {
    const who = held === 'you' ? 'You have' : 'Another person has'
    const agent = doing ? ` Still running: ${doing.text}` : waits ? ` The agent waits for: ${waits}` : ''
    return `${who} taken over.${agent || ' No agent waits.'}`
  }
  return doing ? `Agent: ${doing.text}` : 'The agent is not doing anything now.'
}

const two = (count: number) => String(count).padStart(2, '0')

function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

function createRequest(link: Link): (request: ViewState['request']) => void {
  let shown: ViewState['request']
  const answer = (as: 'done' | 'declined') => () => shown && link.send({ type: 'answer', request: shown.id, as })
  byId('request-done').addEventListener('click', answer('done'))
  byId('request-no').addEventListener('click', answer('declined'))
  return (request) => {
    // Setting the same text again would make screen readers announce it again.
    if (shown?.id === request?.id) return
    shown = request
    byId('request-text').textContent = request?.message ?? ''
    byId('request').hidden = request === undefined
  }
}

function confirmEnd(link: Link): void {
  const { dialog, title, note, agree } = createForm('ending', 'Keep it', 'End session', () =>
    link.send({ type: 'endSession' }),
  )
  title.textContent = 'End this browser session?'
  note.textContent = 'The agent cannot continue in it, and its tabs are lost.'
  agree.classList.add('danger')
  byId('end').addEventListener('click', () => {
    if (isInControl()) dialog.showModal()
  })
}
