/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, notice } from './elements.ts'
import type { Link } from './link.ts'

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
