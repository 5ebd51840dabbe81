import type { PopupField } from '../../../page-script/live-view/popup-field.ts'
import { createButton, byId, openAt } from './elements.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'

/** The popups of fields, which are not in the picture. */
export function createFields(link: Link, screen: Screen, closed: () => void): { show(field: PopupField): void } {
  const dialog = byId<HTMLDialogElement>('input')
  const value = byId<HTMLInputElement>('input-value')
  const showList = createList((at) => link.send({ type: 'choose', value: at }), closed)

  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', closed)
  dialog.addEventListener('submit', () => link.send({ type: 'choose', value: value.value.slice(0, 100) }))
  byId('input-no').addEventListener('click', () => dialog.close())

  return {
    show(field) {
      const box = screen.boxOf(field.box)
      if (field.kind === 'list') return showList(field, box)
      const { name, inputType, min, max, step } = field
      byId('input-name').textContent = name || 'Value'
      value.type = inputType
      Object.assign(value, { min, max, step, value: field.value })
      openAt(dialog, box)
      value.focus()
    },
  }
}

type ListField = Extract<PopupField, { kind: 'list' }>

/** The options of a select list. Arrows, Home, End and first letters move among them. */
function createList(choose: (at: number) => void, closed: () => void) {
  const dialog = byId<HTMLDialogElement>('list')
  const options = byId('options')

  function elementsOf(field: ListField): HTMLElement[] {
    return field.options.flatMap(({ text, group, disabled, selected }, at) => {
      const made = createButton(text || '\u00a0', () => {
        choose(at)
        dialog.close()
      })
      made.role = 'option'
      made.ariaSelected = String(selected)
      made.disabled = disabled
      const isFirst = group !== '' && group !== field.options[at - 1]?.group
      return isFirst ? [titleOf(group), made] : [made]
    })
  }

  options.addEventListener('keydown', (event) => {
    const next = nextOf(Array.from(options.querySelectorAll<HTMLElement>('button:enabled')), event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', closed)

  return (field: ListField, box: DOMRect) => {
    byId('list-name').textContent = field.name
    options.replaceChildren(...elementsOf(field))
    openAt(dialog, box)
    const now = options.querySelector<HTMLElement>('[aria-selected=true]')
    now?.focus()
    now?.scrollIntoView({ block: 'center' })
  }
}

function titleOf(group: string): HTMLElement {
  const title = document.createElement('div')
  title.className = 'group'
  title.textContent = group
  return title
}

function nextOf(all: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = all.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key]
  if (to !== undefined) return all[to]
  if (key.length !== 1 || key === ' ') return undefined
  const starts = (each: HTMLElement) => each.textContent.toLowerCase().startsWith(key.toLowerCase())
  return all.slice(at + 1).find(starts) ?? all.find(starts)
}
