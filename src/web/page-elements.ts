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

export const isInControl = () => document.body.classList.contains('control')

let hiding: ReturnType<typeof setTimeout> | undefined
const noticeMs = 5000

export function showNotice(text: string): void {
  byId('notice').textContent = text
  clearTimeout(hiding)
  hiding = setTimeout(() => (byId('notice').textContent = ''), noticeMs)
}
