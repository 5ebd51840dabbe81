import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import browserAct from '../../operations/browser-act.ts'
import browserOpenAct from '../../operations/browser-open-act.ts'
import { flatActs } from '../../schema/page-actions.ts'
import { agentSession } from '../../schema/session.ts'

const { askPerson } = browserAct.input.shape

export const browserActTool: Tool = {
  name: 'browser_act',
  title: browserAct.title,
  about:
    'Act in a browser session, several acts at once where you can, and report what changed. Without sessionId, opens one at url.',
  effect: browserAct.effect,
  example: browserAct.example,
  arguments: z.object({ ...agentSession, acts: flatActs.optional(), askPerson }),
  variants: [{ operation: browserAct, given: 'sessionId' }, { operation: browserOpenAct }],
}
