import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import browserClose from '../../operations/browser-close.ts'
import interactStop from '../../operations/interact-stop.ts'

export const browserCloseTool: Tool = {
  name: 'browser_close',
  title: browserClose.title,
  about: 'Close a live browser, also one that interact opened. Saves its profile.',
  effect: 'destroy',
  example: browserClose.example,
  arguments: z.object({
    sessionId: browserClose.input.shape.sessionId.describe('Id of the session, or of the scrape behind it.'),
  }),
  variants: [{ operation: browserClose, orElse: { operation: interactStop, fields: { sessionId: 'jobId' } } }],
}
