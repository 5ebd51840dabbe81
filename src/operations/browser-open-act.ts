import { z } from 'zod'
import { actInNewSession } from '../engine/session/one-call.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentActs } from '../present/session.ts'
import { ActsAtUrl, requirePage } from '../schema/page-actions.ts'
import { CreateInput, ofNewSession, PageUrl } from '../schema/session.ts'
import browserAct from './browser-act.ts'
import browserCreate from './browser-create.ts'

export default defineOperation({
  name: 'browser_open_act',
  route: 'POST /v2/browser/act',
  aliases: ['POST /v2/interact/act'],
  title: 'Open a live browser and act in it',
  about: 'Open a browser session at a URL and perform actions there, in one call.',
  effect: 'change',
  example: { url: 'https://example.com', acts: [{ type: 'click', target: 'link "More information"' }], keep: false },
  input: z
    .object({
      ...CreateInput.shape,
      url: PageUrl,
      acts: ActsAtUrl,
      keep: ofNewSession.keep,
      askPerson: browserAct.input.shape.askPerson,
    })
    .superRefine(requirePage),
  output: z.object({ ...browserAct.output.shape, ...ofNewSession.output }),
  errors: ['SESSION_GONE', ...browserCreate.errors],
  job: { endpoint: 'browser', target: ({ url }) => url ?? null, keep: () => undefined },
  price: () => 0,
  mcp: { present: presentActs, isBounded: true },
  run: actInNewSession,
})
