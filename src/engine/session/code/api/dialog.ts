import type { CdpEvents } from '../../../browser/cdp/events.ts'
import type { Session } from '../../../browser/cdp/session.ts'

/** An alert, confirm or prompt that waits for an answer. */
export function createDialog(session: Session, opening: CdpEvents['Page.javascriptDialogOpening']) {
  const answer = (accept: boolean, promptText?: string) =>
    session.send('Page.handleJavaScriptDialog', { accept, ...(promptText !== undefined && { promptText }) })
  return {
    message: () => opening.message,
    type: () => opening.type,
    defaultValue: () => opening.defaultPrompt ?? '',
    accept: async (text?: string) => void (await answer(true, text ?? opening.defaultPrompt)),
    dismiss: async () => void (await answer(false)),
  }
}
