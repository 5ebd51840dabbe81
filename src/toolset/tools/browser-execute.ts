import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import browserExecute from '../../operations/browser-execute.ts'
import browserOpenExecute from '../../operations/browser-open-execute.ts'
import { agentSession, Code, codeFields } from '../../schema/session.ts'

export const browserExecuteTool: Tool = {
  name: 'browser_execute',
  title: browserExecute.title,
  about:
    'Run code with Playwright’s page, context and browser; no network or files. Print, or end with an expression. Without sessionId, opens a session.',
  effect: browserExecute.effect,
  example: browserExecute.example,
  arguments: z.object({ ...agentSession, code: Code, ...codeFields }),
  variants: [{ operation: browserExecute, given: 'sessionId' }, { operation: browserOpenExecute }],
}
