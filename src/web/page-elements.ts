export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Labels come from pages, and are text, never markup. */
export function createButton(label: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = label
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
