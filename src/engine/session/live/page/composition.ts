/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ActOf } from '../messages.ts'
import { byId } from './elements.ts'
import type { Link } from './link.ts'

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
