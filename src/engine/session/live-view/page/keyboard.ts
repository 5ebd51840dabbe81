import type { Act, ActOf } from '../messages.ts'
import { byId, notice } from './elements.ts'
import type { Link } from './link.ts'
import { modsOf } from './pointer.ts'

const isMac = /^(?:Mac|iP)/.test(navigator.platform)
const [alt, ctrl, meta] = [1, 2, 4]
/** Composed by an input method, whose outcome comes as text. */
const composed = 229

/** What the browser around a page does for its viewer is done for the page in the session. */
const shortcuts: Readonly<Record<string, Act>> = {
  F5: { type: 'go', where: 'reload' },
  'ctrl r': { type: 'go', where: 'reload' },
  'alt ArrowLeft': { type: 'go', where: 'back' },
  'alt ArrowRight': { type: 'go', where: 'forward' },
  'ctrl c': { type: 'copy', how: 'copy' },
  'ctrl x': { type: 'copy', how: 'cut' },
}

/** Keys go to a field that nobody sees, so that input methods and the keyboards of phones work as well. */
export function watchKeys(link: Link): void {
  const keys = byId<HTMLTextAreaElement>('keys')
  const held = new Map<string, ActOf<'key'>>()

  keys.addEventListener('keydown', (event) => {
    const { key } = event
    if (event.isComposing || event.keyCode === composed || /^(?:Dead|Process|Unidentified)$/.test(key)) return
    const said = keyOf(event, 'down')
    const name = [
      said.mods & ctrl ? 'ctrl ' : '',
      said.mods & alt ? 'alt ' : '',
      key.length === 1 ? key.toLowerCase() : key,
    ]
    // A paste comes as an event of its own.
    if (name.join('') === 'ctrl v') return
    event.preventDefault()
    if (key === 'F6') return byId('address').focus()
    if (name.join('') === 'ctrl l') return byId<HTMLInputElement>('address').select()
    const shortcut = shortcuts[name.join('')]
    if (shortcut) return link.say(shortcut)
    held.set(event.code, said)
    link.say(said)
  })
  keys.addEventListener('keyup', (event) => {
    if (!held.delete(event.code)) return
    event.preventDefault()
    link.say(keyOf(event, 'up'))
  })
  keys.addEventListener('focus', () => document.body.classList.add('typing'))
  keys.addEventListener('blur', () => {
    document.body.classList.remove('typing')
    // Their release is not heard here any more.
    for (const said of held.values()) link.say({ ...said, do: 'up', repeat: false })
    held.clear()
  })
}

function keyOf(event: KeyboardEvent, does: 'down' | 'up'): ActOf<'key'> {
  const { key, code, keyCode: vk, location: place, repeat } = event
  return { type: 'key', do: does, key: key.slice(0, 32), code, vk: vk & 255, place, repeat, mods: modsFor(event) }
}

function modsFor(event: KeyboardEvent): number {
  const mods = modsOf(event)
  const isCharacter = Array.from(event.key).length === 1
  // These keys only choose the character.
  if (isCharacter && event.getModifierState('AltGraph')) return mods & ~(alt | ctrl)
  if (isMac && isCharacter && mods & alt && !(mods & (ctrl | meta))) return mods & ~alt
  return isMac && mods & meta ? (mods & ~meta) | ctrl : mods
}

export function focusKeys(): void {
  byId('keys').focus({ preventScroll: true })
}

/** So that there is something to delete: the keyboards of phones tell of a deletion only then. */
const filling = '\u200b\u200b'

/** What an input method makes reaches the field as events of input (Input Events, level 2). */
const keysOf: Readonly<Record<string, Pick<ActOf<'key'>, 'key' | 'code' | 'vk' | 'mods'>>> = {
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
  keys.addEventListener('compositionupdate', ({ data }) => link.say({ type: 'compose', text: data.slice(0, 1000) }))
  keys.addEventListener('compositionend', ({ data }) => {
    isComposing = false
    link.say(data === '' ? { type: 'compose', text: '' } : { type: 'text', text: data.slice(0, 1000) })
    setTimeout(refill)
  })
  keys.addEventListener('input', (event) => {
    const { inputType, data } = event as InputEvent
    // Told by the composition.
    if (isComposing || inputType === 'insertCompositionText' || inputType === 'insertFromComposition') return
    const key = keysOf[inputType]
    if (key)
      for (const does of ['down', 'up'] as const) link.say({ type: 'key', do: does, place: 0, repeat: false, ...key })
    else if (data) link.say({ type: 'text', text: data.slice(0, 1000) })
    refill()
  })
}

const mostPasted = 100_000

/** The clipboard of the viewer: what is pasted goes into the page, what is copied there comes here. */
export function watchClipboard(link: Link): { copied(text: string): void } {
  const dialog = byId<HTMLDialogElement>('copied')
  const field = byId<HTMLTextAreaElement>('copied-text')

  byId('keys').addEventListener('paste', (event) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text.length > mostPasted) notice('Only the first 100,000 characters were pasted.')
    if (text) link.say({ type: 'paste', text: text.slice(0, mostPasted) })
  })
  byId('copied-no').addEventListener('click', () => dialog.close())
  dialog.addEventListener('submit', () => {
    field.select()
    document.execCommand('copy')
  })

  return {
    copied(text) {
      // Not every browser, and no page without TLS, may write to the clipboard without a press.
      const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      void written.catch(() => {
        field.value = text
        dialog.showModal()
        field.select()
      })
    },
  }
}
