import type { ShownAct } from '../engine/session/live-view/messages.ts'

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Creates an element. Texts may come from pages, so they are added as text, never as markup. */
export function createElement<T extends keyof HTMLElementTagNameMap>(
  name: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[T] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...inside)
  return element
}

/** Turns a dialog into a form with a title above its content, and a note and two buttons below. Returns these parts. */
export function createForm(id: string, no: string, yes: string, submitted: (event: Event) => void) {
  const dialog = byId<HTMLDialogElement>(id)
  const title = createElement('p', { id: `${id}-title` })
  const note = createElement('p', { className: 'small' })
  const refuse = createElement('button', { type: 'button', onclick: () => dialog.close('no') }, no)
  const agree = createElement('button', { className: 'primary', value: 'yes' }, yes)
  const buttons = createElement('div', { className: 'buttons' }, refuse, agree)
  const inside = [title, ...dialog.childNodes, note, buttons]
  dialog.append(createElement('form', { method: 'dialog', onsubmit: submitted }, ...inside))
  for (const each of [dialog, ...dialog.querySelectorAll('input:not([aria-label]), textarea')])
    each.setAttribute('aria-labelledby', title.id)
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

export function actItem({ n, at, text, hasFailed, picture }: ShownAct): HTMLElement {
  const label = createElement('span', { className: hasFailed ? 'danger' : '' }, text, hasFailed ? ' – failed' : '')
  const item = createElement('li', { id: `act-${n}` }, createElement('time', {}, clock.format(at)), label)
  if (picture !== undefined) item.append(createElement('img', { src: picture, alt: 'The page after it' }))
  return item
}
