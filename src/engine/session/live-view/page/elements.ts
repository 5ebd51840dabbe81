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

/** Calls `use` at most once in so many ms; the newest value is never lost. */
export function throttle<T>(ms: number, use: (value: T) => void) {
  let waiting: { value: T } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let at = -ms
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!waiting) return
    const { value } = waiting
    waiting = undefined
    at = performance.now()
    use(value)
  }
  return {
    put(merge: (before: T | undefined) => T): void {
      waiting = { value: merge(waiting?.value) }
      timer ??= setTimeout(flush, Math.max(0, at + ms - performance.now()))
    },
    flush,
  }
}

/** Opens a popup below a box of the window, or above where there is no room. */
export function openAt(dialog: HTMLDialogElement, box: DOMRect): void {
  dialog.showModal()
  dialog.style.minWidth = `${Math.max(140, box.width)}px`
  const { offsetWidth, offsetHeight } = dialog
  const isBelow = box.bottom + offsetHeight + 8 < innerHeight
  dialog.style.top = `${isBelow ? box.bottom + 2 : Math.max(8, box.top - offsetHeight - 2)}px`
  dialog.style.left = `${Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8))}px`
}
