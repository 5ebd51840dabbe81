import type { ShownAct } from '../engine/session/live-view/messages.ts'

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Texts come from pages, so they are set as text, never as markup. */
export function createElement<T extends keyof HTMLElementTagNameMap>(name: T, text = '', ...inside: readonly Node[]) {
  const made = document.createElement(name)
  made.append(text, ...inside)
  return made
}

export function createButton(label: string, press: () => void): HTMLButtonElement {
  const made = createElement('button', label)
  made.type = 'button'
  made.addEventListener('click', press)
  return made
}

/**
 * Makes a form of a dialog: a title above what it holds, a note below, and two buttons. Returns its parts.
 * The ids are that of the dialog with `-title`, `-note`, `-no` and `-yes`.
 */
export function createForm(id: string, no: string, yes: string, submitted: (event: Event) => void) {
  const dialog = byId<HTMLDialogElement>(id)
  const title = Object.assign(createElement('p'), { id: `${id}-title` })
  const note = Object.assign(createElement('p'), { id: `${id}-note`, className: 'small' })
  const refuse = Object.assign(
    createButton(no, () => dialog.close('no')),
    { id: `${id}-no` },
  )
  const agree = Object.assign(createElement('button', yes), { id: `${id}-yes`, className: 'primary', value: 'yes' })
  const buttons = Object.assign(createElement('div', '', refuse, agree), { className: 'buttons' })
  const form = createElement('form', '', title, ...dialog.childNodes, note, buttons)
  form.method = 'dialog'
  form.addEventListener('submit', submitted)
  dialog.append(form)
  dialog.setAttribute('aria-labelledby', title.id)
  for (const field of form.querySelectorAll('input:not([aria-label]), textarea'))
    field.setAttribute('aria-labelledby', title.id)
  return { dialog, title, note, refuse, agree }
}

export const isInControl = () => document.body.classList.contains('control')

let hiding: ReturnType<typeof setTimeout> | undefined
const noticeMs = 5000

export function showNotice(text: string): void {
  byId('notice').textContent = text
  clearTimeout(hiding)
  hiding = setTimeout(() => (byId('notice').textContent = ''), noticeMs)
}

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })

/** An act in a timeline. */
export function actItem({ n, at, text, hasFailed, picture }: ShownAct): HTMLElement {
  const says = createElement('span', hasFailed ? `${text} – failed` : text)
  says.classList.toggle('danger', hasFailed === true)
  const item = createElement('li', '', createElement('time', clock.format(at)), says)
  item.id = `act-${n}`
  if (picture !== undefined) item.append(Object.assign(new Image(), { src: picture, alt: 'The page after it' }))
  return item
}
