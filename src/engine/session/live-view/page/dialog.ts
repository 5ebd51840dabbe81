import type { ShownDialog } from '../messages.ts'
import { byId, isInControl } from './elements.ts'
import type { Link } from './link.ts'

const buttons: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  beforeunload: ['Leave', 'Stay'],
}

/** Shows the dialogs of the page's scripts. They are answered here or by whoever else drives the session. */
export function createDialog(link: Link, closed: () => void): { show(shown: ShownDialog | undefined): void } {
  const dialog = byId<HTMLDialogElement>('dialog')
  const text = byId<HTMLInputElement>('dialog-text')
  let current = ''

  const answer = (accept: boolean) =>
    link.send({ type: 'dialog', accept, ...(text.hidden ? {} : { text: text.value }) })
  byId('dialog-no').addEventListener('click', () => answer(false))
  dialog.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isInControl()) answer(true)
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    if (isInControl()) answer(false)
  })

  return {
    show(shown) {
      if (JSON.stringify(shown ?? '') === current) return
      current = JSON.stringify(shown ?? '')
      if (!shown) {
        dialog.close()
        return closed()
      }
      const { kind, message, defaultText } = shown
      const [yes, no] = buttons[kind] ?? ['OK', 'Cancel']
      byId('dialog-from').textContent = isInControl() ? 'The page says' : 'The page waits for an answer'
      byId('dialog-message').textContent =
        message || (kind === 'beforeunload' ? 'Leave this page? What was entered may be lost.' : '')
      text.hidden = kind !== 'prompt' || !isInControl()
      text.value = defaultText
      byId('dialog-yes').textContent = yes
      byId('dialog-no').textContent = no
      byId('dialog-yes').hidden = !isInControl()
      byId('dialog-no').hidden = !isInControl() || kind === 'alert'
      if (dialog.open) return
      // A viewer without control keeps watching.
      if (isInControl()) dialog.showModal()
      else dialog.show()
    },
  }
}
