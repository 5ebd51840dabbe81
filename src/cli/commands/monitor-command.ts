import { setTimeout as wait } from 'node:timers/promises'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { usageError, objectIn } from '../usage/syntax.ts'
import { call, showFailure, callerOf } from './call-command.ts'

const pollMs = 250
const stopped = 130

/** `gossamer monitor …`: monitors of the local team. */
export const monitorCommand: Command = async (context) => {
  const [action = '', ...words] = context.words
  if (action === 'create') return call(context, 'monitor', creation(context, words))
  if (action === 'list') return call(context, 'monitor', { action })
  const [id, more] = words
  if (id === undefined) throw usageError('monitor', action)
  if (action === 'run') return run(context, id)
  if (action === 'update')
    return call(context, 'monitor', { action, id, ...objectIn(more ?? '', { status: 'paused' }) })
  return call(context, 'monitor', { action, id, ...(more !== undefined && { checkId: more }) })
}

function creation({ flags }: CommandContext, words: readonly string[]): object {
  const { schedule, timezone, webhook, crawl } = flags
  const last = words.at(-1) ?? ''
  const options = last.startsWith('{') ? objectIn(last, { condition: { status: ['changed'] } }) : {}
  const urls = last.startsWith('{') ? words.slice(0, -1) : words
  if (urls.length === 0 || schedule === undefined) throw usageError('monitor', 'create')
  if (crawl && urls.length > 1) throw new UsageError('With --crawl there is one URL, from which the site is crawled.')
  const what = crawl ? { crawl: urls[0] } : { urls }
  return { action: 'create', ...what, schedule, timezone, webhook, ...options }
}

type Answer = { data: { id: string; status: string } }

/** Waits for the check, which runs in this process or in a server on the same data. */
async function run(context: CommandContext, id: string): Promise<number> {
  const { signal } = context
  const ask = callerOf(context, signal)
  try {
    const { id: checkId } = (await ask<Answer>('monitor_run', { id })).data
    while (['queued', 'running'].includes((await ask<Answer>('monitor_check', { id, checkId })).data.status))
      await wait(pollMs, undefined, { signal })
    return await call(context, 'monitor', { action: 'get', id, checkId })
  } catch (thrown) {
    return signal.aborted ? stopped : showFailure(context, thrown, 'monitor')
  }
}
