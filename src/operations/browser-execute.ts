import { z } from 'zod'
import { runCode } from '../engine/session/interact.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentExecution } from '../present/session.ts'
import { Code, codeFields, ExecuteResult, keep, labels, PageUrl, SessionId } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_execute',
  route: 'POST /v2/browser/:sessionId/execute',
  aliases: ['POST /v2/interact/:sessionId/execute'],
  title: 'Run code in a live browser',
  about:
    'Run code in a browser session with Playwright’s page, context and browser. No network or files. Print what you need, or end with an expression.',
  effect: 'change',
  example: {
    sessionId: '0190c2a0-0000-7000-8000-000000000000',
    code: "await page.goto('https://example.com')\nawait page.title()",
  },
  input: z.object({ sessionId: SessionId, url: PageUrl, code: Code, ...codeFields, keep, ...labels }),
  output: ExecuteResult,
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED', 'SANDBOX_UNAVAILABLE'],
  mcp: { present: (output) => presentExecution(output, 'browser') },
  run: runCode,
})
