import { z } from 'zod'
import { runInNewSession } from '../engine/session/one-call.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentExecution } from '../present/session.ts'
import { Code, codeFields, CreateInput, ExecuteResult, ofNewSession, PageUrl } from '../schema/session.ts'
import browserCreate from './browser-create.ts'

export default defineOperation({
  name: 'browser_open_execute',
  route: 'POST /v2/browser/execute',
  aliases: ['POST /v2/interact/execute'],
  title: 'Open a live browser and run code in it',
  about: 'Open a browser session, at a URL if one is given, and run code in it, in one call.',
  effect: 'change',
  example: { url: 'https://example.com', code: 'await page.title()', keep: false },
  input: z.object({ ...CreateInput.shape, url: PageUrl, code: Code, ...codeFields, keep: ofNewSession.keep }),
  output: z.object({ ...ExecuteResult.shape, ...ofNewSession.output }),
  errors: ['SESSION_GONE', 'SANDBOX_UNAVAILABLE', ...browserCreate.errors],
  job: { endpoint: 'browser', target: ({ url }) => url ?? null, keep: () => undefined },
  price: () => 0,
  mcp: { present: (output) => presentExecution(output, 'browser') },
  run: runInNewSession,
})
