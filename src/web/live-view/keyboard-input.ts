import type { ViewerAction, ViewerActionOf } from '../../engine/session/live-view/messages.ts'
import { byId, createForm, showNotice } from '../page-elements.ts'
import type { Link } from './link.ts'
import { modsOf } from './pointer-input.ts'

const isMac = /^(?:Mac|iP)/.test(navigator.platform)
const [alt, ctrl, meta] = [1, 2, 4]
/** `keyCode` of a key that an input method handles; its result arrives as text. */
const composed = 229

/** Shortcuts of the viewer's browser that act on the page in the session instead. */
const shortcuts: Readonly<Record<string, ViewerAction>> = {
  F5: { type: 'go', where: 'reload' },
  'ctrl r': { type: 'go', where: 'reload' },
  'alt ArrowLeft': { type: 'go', where: 'back' },
  'alt ArrowRight': { type: 'go', where: 'forward' },
  'ctrl c': { type: 'copy', how: 'copy' },
  'ctrl x': { type: 'copy', how: 'cut' },
}

/** Sends key presses. They go to an invisible field, so that input methods and the keyboards of phones work too. */
export function watchKeys(link: Link): void {
  const keys = byId<HTMLTextAreaElement>('keys')
  const held = new Map<string, ViewerActionOf<'key'>>()

  keys.addEventListener('keydown', (event) => {
    const { key } = event
    if (event.isComposing || event.keyCode === composed || /^(?:Dead|Process|Unidentified)$/.test(key)) return
    const message = keyOf(event, 'down')
    const name = [
      message.mods & ctrl ? 'ctrl ' : '',
      message.mods & alt ? 'alt ' : '',
      key.length === 1 ? key.toLowerCase() : key,
    ]
    // The paste event handles this key.
    if (name.join('') === 'ctrl v') return
    event.preventDefault()
    if (key === 'F6') return byId('address').focus()
    if (name.join('') === 'ctrl l') return byId<HTMLInputElement>('address').select()
    const shortcut = shortcuts[name.join('')]
    if (shortcut) return link.send(shortcut)
    held.set(event.code, message)
    link.send(message)
  })
  keys.addEventListener('keyup', (event) => {
    if (!held.delete(event.code)) return
    event.preventDefault()
    link.send(keyOf(event, 'up'))
  })
  keys.addEventListener('focus', () => document.body.classList.add('typing'))
  keys.addEventListener('blur', () => {
    document.body.classList.remove('typing')
    // The field will not receive the release of these keys.
    for (const message of held.values()) link.send({ ...message, do: 'up', repeat: false })
    held.clear()
  })
}

function keyOf(event: KeyboardEvent, does: 'down' | 'up'): ViewerActionOf<'key'> {
  const { key, code, keyCode: vk, location: place, repeat } = event
  return { type: 'key', do: does, key: key.slice(0, 32), code, vk: vk & 255, place, repeat, mods: modsFor(event) }
}

function modsFor(event: KeyboardEvent): number {
  const mods = modsOf(event)
  const isCharacter = Array.from(event.key).length === 1
  // With AltGr or Option, these modifiers only select the character.
  if (isCharacter && event.getModifierState('AltGraph')) return mods & ~(alt | ctrl)
  if (isMac && isCharacter && mods & alt && !(mods & (ctrl | meta))) return mods & ~alt
  return isMac && mods & meta ? (mods & ~meta) | ctrl : mods
}

export function focusKeys(): void {
  byId('keys').focus({ preventScroll: true })
}

/** Content of the field: without characters to delete, phone keyboards report no deletion. */
const filling = '\u200b\u200b'

/** Keys for the `inputType`s of an input method (Input Events, level 2). */
const keysOf: Readonly<Record<string, Pick<ViewerActionOf<'key'>, 'key' | 'code' | 'vk' | 'mods'>>> = {
  deleteContentBackward: { key: 'Backspace', code: 'Backspace', vk: 8, mods: 0 },
  deleteWordBackward: { key: 'Backspace', code: 'Backspace', vk: 8, mods: 2 },
  deleteContentForward: { key: 'Delete', code: 'Delete', vk: 46, mods: 0 },
  insertLineBreak: { key: 'Enter', code: 'Enter', vk: 13, mods: 0 },
  insertParagraph: { key: 'Enter', code: 'Enter', vk: 13, mods: 0 },
}

export function watchComposition(link: Link): void {
  const keys = byId<HTMLTextAreaElement>('keys')
  let isComposing = false

  function refill(): void {
    if (isComposing) return
    keys.value = filling
    keys.setSelectionRange(filling.length, filling.length)
  }

  keys.addEventListener('focus', refill)
  keys.addEventListener('compositionstart', () => (isComposing = true))
  keys.addEventListener('compositionupdate', ({ data }) => link.send({ type: 'compose', text: data.slice(0, 1000) }))
  keys.addEventListener('compositionend', ({ data }) => {
    isComposing = false
    link.send(data === '' ? { type: 'compose', text: '' } : { type: 'text', text: data.slice(0, 1000) })
    setTimeout(refill)
  })
  keys.addEventListener('input', (event) => {
    const { inputType, data } = event as InputEvent
    // The composition events have sent this text.
    if (isComposing || inputType === 'insertCompositionText' || inputType === 'insertFromComposition') return
    const key = keysOf[inputType]
    if (key)
      for (const does of ['down', 'up'] as const) link.send({ type: 'key', do: does, place: 0, repeat: false, ...key })
    else if (data) link.send({ type: 'text', text: data.slice(0, 1000) })
    refill()
  })
}

const maxPasted = 100_000

/** Connects the viewer's clipboard to the page: pastes into it, and receives copied text. */
export function watchClipboard(link: Link): { copied(text: string): void } {
  const field = byId<HTMLTextAreaElement>('copied-text')
  const { dialog, title } = createForm('copied', 'Close', 'Copy', () => {
    field.select()
    document.execCommand('copy')
  })
  title.textContent = 'Copied from the page'

  byId('keys').addEventListener('paste', (event) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text.length > maxPasted) showNotice('Only the first 100,000 characters were pasted.')
    if (text) link.send({ type: 'paste', text: text.slice(0, maxPasted) })
  })

  return {
    copied(text) {
      // Without TLS, and in some browsers, writing to the clipboard needs a click, for which the dialog asks.
      const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      void written.catch(() => {
        field.value = text
        dialog.showModal()
        field.select()
      })
    },
  }
}
