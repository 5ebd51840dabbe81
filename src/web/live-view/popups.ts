import type { ShownDialog } from '../../engine/session/live-view/messages.ts'
import { byId, createElement, createForm, isInControl, showNotice } from '../page-elements.ts'
import type { Link } from './link.ts'
import type { PopupField } from '../../engine/page-script/page/live-view-fields.ts'
import type { Screen } from './picture.ts'

/** Shows dialogs of the page's scripts. Other clients of the session may answer them, too. */
export function createDialog(link: Link, closed: () => void): { show(shown: ShownDialog | undefined): void } {
  const { dialog, title, refuse, agree } = createForm('dialog', '', '', (event) => answer(event, true))
  const text = byId<HTMLInputElement>('dialog-text')
  let current = ''

  /** Sends the answer. The dialog stays open until the server reports that the page has the answer. */
  function answer(event: Event, accept: boolean): void {
    event.preventDefault()
    if (isInControl()) link.send({ type: 'dialog', accept, ...(text.hidden ? {} : { text: text.value }) })
  }
  refuse.addEventListener('click', (event) => answer(event, false))
  dialog.addEventListener('cancel', (event) => answer(event, false))

  return {
    show(shown) {
      if (JSON.stringify(shown ?? '') === current) return
      current = JSON.stringify(shown ?? '')
      if (!shown) {
        dialog.close()
        return closed()
      }
      const { kind, message, defaultText } = shown
      const isLeaving = kind === 'beforeunload'
      title.textContent = isInControl() ? 'The page says' : 'The page waits for an answer'
      byId('dialog-message').textContent =
        message || (isLeaving ? 'Leave this page? What was entered may be lost.' : '')
      text.hidden = kind !== 'prompt' || !isInControl()
      text.value = defaultText
      agree.textContent = isLeaving ? 'Leave' : 'OK'
      refuse.textContent = isLeaving ? 'Stay' : 'Cancel'
      agree.hidden = !isInControl()
      refuse.hidden = !isInControl() || kind === 'alert'
      if (dialog.open) return
      // A modal dialog would block the page for a viewer who may only watch.
      if (isInControl()) dialog.showModal()
      else dialog.show()
    },
  }
}

/** Shows the popups of select lists and date fields, which are not part of the picture. */
export function createFields(link: Link, screen: Screen, closed: () => void): { show(field: PopupField): void } {
  const value = byId<HTMLInputElement>('input-value')
  const { dialog, title } = createForm('input', 'Cancel', 'Set', () =>
    link.send({ type: 'choose', value: value.value.slice(0, 100) }),
  )
  const showList = createList((at) => link.send({ type: 'choose', value: at }), closed)
  leaveOutside(dialog, closed)

  return {
    show(field) {
      const box = screen.boxOf(field.box)
      if (field.kind === 'list') return showList(field, box)
      const { name, inputType, min, max, step } = field
      title.textContent = name || 'Value'
      value.type = inputType
      Object.assign(value, { min, max, step, value: field.value })
      openAt(dialog, box)
      value.focus()
    },
  }
}

/** Closes a popup by a click outside. */
function leaveOutside(dialog: HTMLDialogElement, closed: () => void): void {
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('close', closed)
}

type ListField = Extract<PopupField, { kind: 'list' }>

/** Options of a select list. Arrow keys, Home, End and first letters move the focus. */
function createList(choose: (at: number) => void, closed: () => void) {
  const dialog = byId<HTMLDialogElement>('list')
  const options = byId('options')

  function elementsOf(field: ListField): HTMLElement[] {
    return field.options.flatMap(({ text, group, disabled, selected }, at) => {
      const press = () => {
        choose(at)
        dialog.close()
      }
      const facts = {
        type: 'button',
        role: 'option',
        ariaSelected: String(selected),
        disabled,
        onclick: press,
      } as const
      const option = createElement('button', facts, text || '\u00a0')
      const isFirst = group !== '' && group !== field.options[at - 1]?.group
      return isFirst ? [createElement('div', { className: 'group' }, group), option] : [option]
    })
  }

  options.addEventListener('keydown', (event) => {
    const next = nextOf(Array.from(options.querySelectorAll<HTMLElement>('button:enabled')), event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  leaveOutside(dialog, closed)

  return (field: ListField, box: DOMRect) => {
    byId('list-name').textContent = field.name || 'Choose one'
    options.replaceChildren(...elementsOf(field))
    openAt(dialog, box)
    const now = options.querySelector<HTMLElement>('[aria-selected=true]')
    now?.focus()
    now?.scrollIntoView({ block: 'center' })
  }
}

function nextOf(all: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = all.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key]
  if (to !== undefined) return all[to]
  if (key.length !== 1 || key === ' ') return undefined
  const starts = (each: HTMLElement) => each.textContent.toLowerCase().startsWith(key.toLowerCase())
  return all.slice(at + 1).find(starts) ?? all.find(starts)
}

type FileRequest = { multiple: boolean; maxFiles: number; maxBytes: number }
const chunkBytes = 256 * 1024

/** Uploads files that a page requests. Browsers open a file chooser only after a click, so a dialog asks for the click. */
export function createFiles(link: Link, closed: () => void): { ask(request: FileRequest): void } {
  const { dialog, title, note, agree } = createForm('files', 'Cancel', 'Upload', () => {})
  const field = byId<HTMLInputElement>('files-value')
  let request: FileRequest = { multiple: false, maxFiles: 0, maxBytes: 0 }

  async function send(files: readonly File[]): Promise<void> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (files.length > request.maxFiles || bytes > request.maxBytes) {
      link.send({ type: 'files', files: [] })
      return showNotice(`At most ${request.maxFiles} files, ${request.maxBytes / 1_000_000} MB in all.`)
    }
    link.send({ type: 'files', files: files.map(({ name, size }) => ({ name: name.slice(0, 1000), size })) })
    for (const file of files)
      for (let at = 0; at < file.size; at += chunkBytes) {
        link.sendBytes(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()))
        await link.untilSent()
      }
    if (files.length > 0) showNotice(files.length === 1 ? 'The file was sent.' : 'The files were sent.')
  }

  field.addEventListener('change', () => (agree.disabled = !field.files?.length))
  dialog.addEventListener('cancel', () => (dialog.returnValue = 'no'))
  dialog.addEventListener('close', () => {
    void send(dialog.returnValue === 'no' ? [] : Array.from(field.files ?? [])).catch(() =>
      showNotice('The file could not be read.'),
    )
    closed()
  })

  return {
    ask(wanted) {
      request = wanted
      field.multiple = request.multiple
      field.value = ''
      dialog.returnValue = ''
      agree.disabled = true
      title.textContent = request.multiple ? 'The page asks for files.' : 'The page asks for a file.'
      note.textContent = `At most ${request.multiple ? `${request.maxFiles} files, ` : ''}${request.maxBytes / 1_000_000} MB.`
      if (!dialog.open) dialog.showModal()
    },
  }
}

/** Opens a popup below a box of the window, or above it if there is no room. */
function openAt(dialog: HTMLDialogElement, box: DOMRect): void {
  dialog.showModal()
  dialog.style.minWidth = `${Math.max(140, box.width)}px`
  const { offsetWidth, offsetHeight } = dialog
  const isBelow = box.bottom + offsetHeight + 8 < innerHeight
  dialog.style.top = `${isBelow ? box.bottom + 2 : Math.max(8, box.top - offsetHeight - 2)}px`
  dialog.style.left = `${Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8))}px`
}
