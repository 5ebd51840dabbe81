import type { Command } from '../command.ts'
import { usageError, limitIn, phraseIn } from '../usage/syntax.ts'
import { call } from './call-command.ts'

/** `gossamer search QUERY [JSON]` */
export const searchCommand: Command = async (context) => {
  const { text, options } = phraseIn(context.words, { limit: 5 })
  if (text === '') throw usageError('search')
  const limit = context.flags.limit === undefined ? {} : { limit: limitIn(context.flags.limit) }
  return call(context, 'search', { query: text, ...limit, ...options })
}

/** `gossamer ask QUESTION [JSON]` */
export const askCommand: Command = async (context) => {
  const { text, options } = phraseIn(context.words, { jobId: 'ID' })
  if (text === '') throw usageError('ask')
  return call(context, 'support_ask', { question: text, ...options })
}
