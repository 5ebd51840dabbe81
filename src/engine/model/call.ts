import type { ModelRequest } from '../../contracts/model-port.ts'
import type { Kit, Question } from './exchange/ask.ts'
import type { Tally } from './tally.ts'

/** One question while it is worked on. */
export type Call = { kit: Kit; request: ModelRequest; model: string; tally: Tally; signal: AbortSignal; endsAt: number }

export const questionOf = ({ request, model, signal, endsAt }: Call): Question => ({
  teamId: request.teamId,
  model,
  system: request.system,
  messages: request.input,
  maxOutputTokens: request.maxOutputTokens,
  signal,
  endsAt,
})
