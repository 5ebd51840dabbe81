import type { ServerMessage } from '../../engine/session/live-view/messages.ts'
import { createAgentPointer, createScreen } from './picture.ts'
import { createDialog, createFields, createFiles } from './popups.ts'
import { byId, isInControl, showNotice } from '../page-elements.ts'
import { focusKeys, watchClipboard, watchComposition, watchKeys } from './keyboard-input.ts'
import { openLink } from './link.ts'
import { watchPointer, watchTouch } from './pointer-input.ts'
import { createStrip, createToolbar } from './bars.ts'
import { createTimeline } from './timeline.ts'

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
  message: hear,
  frame: screen.draw,
  changed(is) {
    body.toggle('lost', is !== 'open')
    byId('banner').textContent = is === 'lost' ? 'Connection lost. Trying again…' : ''
    if (is === 'gone') endWith('This live view has ended.')
    if (is === 'open' && document.hidden) link.send({ type: 'look', on: false })
  },
})
const backToPage = () => {
  if (!hasFingers()) focusKeys()
}
const toolbar = createToolbar(link, screen)
const clipboard = watchClipboard(link)
const fields = createFields(link, screen, backToPage)
const files = createFiles(link, backToPage)
const dialog = createDialog(link, backToPage)
const strip = createStrip(link)
const timeline = createTimeline()
const showAgent = createAgentPointer(screen)
watchPointer(link, screen, focusKeys)
watchTouch(link, screen)
watchKeys(link)
watchComposition(link)
// No frames are sent to a hidden window.
document.addEventListener('visibilitychange', () => link.send({ type: 'look', on: !document.hidden }))

function hear(message: ServerMessage): void {
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
  else if (message.type === 'wantFiles') files.ask(message)
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

/** A phone's keyboard covers half of the page, so it opens only if text can be typed. */
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
