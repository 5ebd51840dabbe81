import type { Command } from '../command.ts'
import { usageError } from '../usage/syntax.ts'
import { limitIn, objectIn } from '../usage/values.ts'
import { call } from './call.ts'

/** `gossamer search QUERY [JSON]`; the words of the query need no quotes of the shell. */
export const searchCommand: Command = async (context) => {
  const { words, flags } = context
  const last = words.at(-1) ?? ''
  const hasOptions = words.length > 1 && last.startsWith('{')
  const query = (hasOptions ? words.slice(0, -1) : words).join(' ')
  if (query.trim() === '') throw usageError('search')
  const limit = flags.limit === undefined ? {} : { limit: limitIn(flags.limit) }
  return call(context, 'search', { query, ...limit, ...objectIn(hasOptions ? last : '{}', { limit: 5 }) })
}
