import { type Command, UsageError } from '../command.ts'
import { call, parseObject } from './call.ts'

/** `gossamer search QUERY [JSON]`; the words of the query need no quotes of the shell. */
export const searchCommand: Command = async (context) => {
  const { words, flags } = context
  const last = words.at(-1) ?? ''
  const hasOptions = words.length > 1 && last.startsWith('{')
  const query = (hasOptions ? words.slice(0, -1) : words).join(' ')
  if (query.trim() === '') throw new UsageError('usage: gossamer search QUERY [OPTIONS_JSON] [--limit N] [--json]')
  const limit = flags.limit === undefined ? {} : { limit: Number(flags.limit) }
  return call(context, 'search', { query, ...limit, ...parseObject(hasOptions ? last : '{}') })
}
