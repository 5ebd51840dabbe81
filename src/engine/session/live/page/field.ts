/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Field } from '../messages.ts'
import { byId, placeAt } from './elements.ts'
import { createList } from './field-list.ts'
import type { Link } from './link.ts'
import type { Screen } from './screen.ts'

/** The popups of fields, which are not in the picture. */
export function createFields(link: Link, screen: Screen, closed: () => void): { show(field: Field): void } {
  const dialog = byId<HTMLDialogElement>('input')
  const value = byId<HTMLInputElement>('input-value')
  const showList = createList((at) => link.say({ type: 'choose', value: at }), closed)

  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', closed)
  dialog.addEventListener('submit', () => link.say({ type: 'choose', value: value.value.slice(0, 100) }))
  byId('input-no').addEventListener('click', () => dialog.close())

  return {
    show(field) {
      const box = screen.boxOf(field.box)
      if (field.kind === 'list') return showList(field, box)
      const { name, inputType, min, max, step } = field
      byId('input-name').textContent = name || 'Value'
      value.type = inputType
      Object.assign(value, { min, max, step, value: field.value })
      placeAt(dialog, box)
      value.focus()
    },
  }
}
