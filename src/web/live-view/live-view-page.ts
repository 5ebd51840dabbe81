import type { ServerMessage, ShownAct, ShownFile, ViewState } from '../../engine/session/live-view/messages.ts'
import { createScreen } from './picture.ts'
import { createDialog, createFields, createFiles } from './popups.ts'
import { actItem, byId, createElement, isInControl, showNotice } from '../page-elements.ts'
import { focusKeys, watchClipboard, watchComposition, watchKeys } from './keyboard-input.ts'
import { openLink } from './link.ts'
import { watchPointer, watchTouch } from './pointer-input.ts'
import { createStrip, createToolbar } from './bars.ts'

const reasons: Readonly<Record<string, string>> = {
  closed: 'It was closed.',
  ttl: 'It reached its time limit.',
  activityTtl: 'It was not used for a while.',
  browser: 'Its browser has stopped.',
  process: 'Its server has stopped.',
}

const body = document.body.classList
const hasFingers = () => body.contains('fingers')
body.toggle('fingers', matchMedia('(pointer: coarse)').matches)

const screen = createScreen((n) => link.send({ type: 'ack', n }))
const link = openLink({
  message: receive,
  frame: screen.draw,
  changed(state) {
    body.toggle('lost', state !== 'open')
    byId('banner').textContent = state === 'lost' ? 'Connection lost. Trying again…' : ''
    if (state === 'gone') endWith('This live view has ended.')
    if (state === 'open' && document.hidden) link.send({ type: 'look', on: false })
  },
})
const backToPage = () => {
  if (!hasFingers()) focusKeys()
}
const toolbar = createToolbar(link, screen)
const clipboard = watchClipboard(link)
const fields = createFields(link, screen, backToPage)
const fileBar = createFiles(link, backToPage)
const dialog = createDialog(link, backToPage)
const strip = createStrip(link)

/** Panel with the acts of the session, newest first, and the files that it downloaded. */
function createTimeline() {
  const [panel, button, list] = [byId('timeline'), byId('timeline-button'), byId('acts')]
  function open(isOpen: boolean): void {
    panel.hidden = !isOpen
    button.ariaExpanded = String(isOpen)
  }
  button.addEventListener('click', () => open(panel.hidden !== false))
  return {
    add(acts: readonly ShownAct[]): void {
      for (const act of acts) {
        const [item, known] = [actItem(act), document.getElementById(`act-${act.n}`)]
        if (known) known.replaceWith(item)
        else list.prepend(item)
      }
    },
    files(files: readonly ShownFile[]): void {
      if (byId('shelf').childElementCount === files.length) return
      byId('shelf').replaceChildren(...files.map(fileItem))
      byId('downloads').hidden = files.length === 0
      open(true)
    },
    end: () => open(list.childElementCount > 0),
  }
}

/** Entry of a downloaded file. Only a viewer in control gets a link; others see the name. */
function fileItem({ id, name, bytes }: ShownFile): HTMLElement {
  const target = isInControl() && { href: `${location.pathname}/files/${id}`, download: name }
  const size = createElement('span', { className: 'faint' }, ` ${sizeOf(bytes)}`)
  return createElement('li', {}, createElement('a', { ...target }, name), size)
}

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1e5) / 10} MB`)

const timeline = createTimeline()

function createAgentPointer(): (doing: ViewState['doing']) => void {
  const pointer = byId('agent')
  return (doing) => {
    const at = doing?.at
    pointer.toggleAttribute('hidden', !at)
    if (!at) return
    const { x, y } = screen.fractionOf(at)
    pointer.style.left = `${x * 100}%`
    pointer.style.top = `${y * 100}%`
  }
}

const showAgent = createAgentPointer()
watchPointer(link, screen, focusKeys)
watchTouch(link, screen)
watchKeys(link)
watchComposition(link)
// No frames are sent to a hidden window.
document.addEventListener('visibilitychange', () => link.send({ type: 'look', on: !document.hidden }))

function receive(message: ServerMessage): void {
  if (message.type === 'hello') greet(message.role)
  else if (message.type === 'state') {
    toolbar.show(message)
    dialog.show(message.dialog)
    strip.show(message)
    timeline.files(message.files)
    showAgent(message.doing)
  } else if (message.type === 'time') strip.time(message.leftMs)
  else if (message.type === 'acts') timeline.add(message.acts)
  else if (message.type === 'field') fields.show(message.field)
  else if (message.type === 'wantFiles') fileBar.ask(message)
  else if (message.type === 'copied') clipboard.copied(message.text)
  else if (message.type === 'keyboard') showKeyboard(message.mode)
  else if (message.type === 'notice') showNotice(message.text)
  else if (message.type === 'readOnly') showNotice('You can watch this session, not act in it.')
  else if (message.type === 'end') endWith(reasons[message.why] ?? 'It has ended.')
}

function greet(role: 'view' | 'control'): void {
  body.toggle('control', role === 'control')
  byId('role').textContent = role === 'control' ? '' : 'View only'
  strip.greet()
  toolbar.greet()
}

/** Opens the keyboard of a phone only if text can be typed, because it covers half of the page. */
function showKeyboard(mode: string | undefined): void {
  const keys = byId<HTMLTextAreaElement>('keys')
  if (mode === undefined) return keys.blur()
  keys.inputMode = mode
  if (isInControl()) focusKeys()
}

function endWith(why: string): void {
  for (const open of document.querySelectorAll('dialog')) if (open.open) open.close()
  body.remove('lost', 'loading')
  body.add('over')
  byId('banner').textContent = ''
  byId('over').hidden = false
  timeline.end()
  byId('why').textContent = why
  document.title = 'The session is over'
  byId('over').querySelector('h1')?.focus()
}
