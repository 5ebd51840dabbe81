import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { Session } from '../../browser/cdp/cdp-session.ts'

export type DialogKind = 'alert' | 'confirm' | 'prompt' | 'beforeunload'
export type OpenDialog = { kind: DialogKind; message: string; defaultText?: string }
export type DialogAnswer = { accept: boolean; text?: string }
export type PastDialog = OpenDialog & { answer: DialogAnswer }

const maxMessage = 300
const maxPast = 3

/** Accepts alerts immediately; a confirm or prompt blocks the page until it is answered here. */
export type Dialogs = ReturnType<typeof watchDialogs>

export function watchDialogs(session: Session) {
  let open: OpenDialog | undefined
  let next: DialogAnswer | undefined
  let past: PastDialog[] = []
  let count = 0
  const waiting = new Set<(dialog: OpenDialog) => void>()

  async function end(dialog: OpenDialog, answer: DialogAnswer): Promise<void> {
    open = undefined
    past = [...past, { ...dialog, answer }].slice(-maxPast)
    count += 1
    const promptText = answer.text ?? (dialog.kind === 'prompt' ? dialog.defaultText : undefined)
    await session
      .send('Page.handleJavaScriptDialog', { accept: answer.accept, ...(promptText !== undefined && { promptText }) })
      .catch(() => undefined)
  }

  session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt }) => {
    const dialog: OpenDialog = {
      kind: type as DialogKind,
      message: sanitiseLine(message).slice(0, maxMessage),
      ...(defaultPrompt && { defaultText: defaultPrompt.slice(0, maxMessage) }),
    }
    const isQuestion = dialog.kind === 'confirm' || dialog.kind === 'prompt'
    const answer = isQuestion ? next : { accept: true }
    if (isQuestion) next = undefined
    if (answer) return void end(dialog, answer)
    open = dialog
    for (const tell of waiting) tell(dialog)
  })
  // The dialog may have been answered elsewhere, for example in the live view.
  session.on('Page.javascriptDialogClosed', () => void (open = undefined))

  return {
    open: () => open,
    opened: (signal: AbortSignal) =>
      new Promise<OpenDialog>((resolve, reject) => {
        if (open) return resolve(open)
        const leave = () => {
          waiting.delete(resolve)
          reject(signal.reason)
        }
        waiting.add(resolve)
        signal.addEventListener('abort', leave, { once: true })
      }),
    /** Answers the open dialog, or stores the answer for the next one. */
    async answer(answer: DialogAnswer): Promise<'answered' | 'kept for the next'> {
      if (!open) next = answer
      else await end(open, answer)
      return next ? 'kept for the next' : 'answered'
    },
    /** Returns the last dialogs that ended since the last call, and how many ended in total. */
    past() {
      const told = { last: past, count }
      past = []
      count = 0
      return told
    },
  }
}
