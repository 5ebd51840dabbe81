/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Act, ActOf } from '../messages.ts'
import { byId } from './elements.ts'
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
