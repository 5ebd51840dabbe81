import type { Command } from '../command.ts'
import { usageError, limitIn, objectIn } from '../usage/syntax.ts'
import { call } from './call-command.ts'

/** `gossamer search QUERY [JSON]` */
export const searchCommand: Command = async (context) => {
  const { text, options } = phraseOf(context.words, { limit: 5 })
  if (text === '') throw usageError('search')
  const limit = context.flags.limit === undefined ? {} : { limit: limitIn(context.flags.limit) }
  return call(context, 'search', { query: text, ...limit, ...options })
}

/** `gossamer ask QUESTION [JSON]` */
export const askCommand: Command = async (context) => {
  const { text, options } = phraseOf(context.words, { jobId: 'ID' })
  if (text === '') throw usageError('ask')
  return call(context, 'support_ask', { question: text, ...options })
}

/** Words that need no shell quotes, followed by options. */
function phraseOf(words: readonly string[], example: object) {
  const last = words.at(-1) ?? ''
  const hasOptions = words.length > 1 && last.startsWith('{')
  const text = (hasOptions ? words.slice(0, -1) : words).join(' ').trim()
  return { text, options: objectIn(hasOptions ? last : '{}', example) }
}
