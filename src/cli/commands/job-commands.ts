import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LlmsTxtState } from '../../schema/workflow-schemas.ts'
import { type Command, type CommandContext, isForPerson, UsageError } from '../command.ts'
import { createProgress, screenOf } from '../progress-bar.ts'
import { harmless } from '../terminal-io.ts'
import { limitIn, objectIn, usageError } from '../usage/syntax.ts'
import { call, callerOf, showFailure } from './call-command.ts'

const pollMs = 250
const maxPages = 1000
const stopped = 130

/**
 * `gossamer llmstxt URL [OPTIONS_JSON]`: prints the llms.txt of a site, or writes it with llms-full.txt to a folder.
 */
export const llmstxtCommand: Command = async (context) => {
  const [url, more] = context.words
  if (url === undefined) throw usageError('llmstxt')
  const { limit, out } = context.flags
  const input = {
    url,
    ...(limit !== undefined && { maxUrls: limitIn(limit, maxPages) }),
    ...(out !== undefined && { showFullText: true }),
    ...objectIn(more ?? '{}', { maxUrls: 20 }),
  }
  try {
    const state = await stateAtEnd(context, input)
    return state ? await printResult(context, state) : stopped
  } catch (thrown) {
    return showFailure(context, thrown, 'llmstxt')
  }
}

/**
 * Starts the job and waits for it. If the program receives a signal to stop, the job is cancelled, and the result is
 * undefined.
 */
async function stateAtEnd(context: CommandContext, input: object): Promise<LlmsTxtState | undefined> {
  const { signal, terminal } = context
  // The signal does not abort these calls, because the job is cancelled instead.
  const invoke = callerOf(context, new AbortController().signal)
  const progress = createProgress(screenOf(terminal))
  const { id } = await invoke<{ id: string }>('llmstxt', input)
  for (;;) {
    const state = await invoke<LlmsTxtState>('llmstxt_status', { id })
    if (state.status !== 'processing') {
      progress.clear()
      return state
    }
    progress.update({ done: state.completed, total: state.total, failed: 0 })
    await wait(pollMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) {
      progress.clear()
      await invoke('extract_cancel', { id })
      return undefined
    }
  }
}

/** Writes the result; returns the exit code. */
async function printResult(context: CommandContext, { data, error, warning }: LlmsTxtState): Promise<number> {
  const { terminal, flags } = context
  const say = (text: string) => terminal.err(`${harmless(text)}\n`)
  if (warning !== undefined) say(`Note: ${warning}`)
  if (!data) {
    if (isForPerson(context)) say(error ?? 'The job was cancelled.')
    else terminal.out(`${JSON.stringify({ success: false, error: error ?? 'The job was cancelled.' })}\n`)
    return 1
  }
  if (flags.out === undefined) {
    terminal.out(isForPerson(context) ? harmless(data.llmstxt) : `${JSON.stringify(data)}\n`)
    return 0
  }
  const files = [join(flags.out, 'llms.txt'), join(flags.out, 'llms-full.txt')]
  await mkdir(flags.out, { recursive: true })
  for (const [at, text] of [data.llmstxt, data.llmsfulltxt ?? ''].entries()) await writeFile(files[at] ?? '', text)
  if (isForPerson(context)) say(`Written: ${files.join(', ')}`)
  else terminal.out(`${JSON.stringify({ files })}\n`)
  return 0
}

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

/** Starts a check and waits for it. It runs in this process, or in a server on the same data. */
async function run(context: CommandContext, id: string): Promise<number> {
  const { signal } = context
  const invoke = callerOf(context, signal)
  try {
    const { id: checkId } = (await invoke<Answer>('monitor_run', { id })).data
    while (['queued', 'running'].includes((await invoke<Answer>('monitor_check', { id, checkId })).data.status))
      await wait(pollMs, undefined, { signal })
    return await call(context, 'monitor', { action: 'get', id, checkId })
  } catch (thrown) {
    return signal.aborted ? stopped : showFailure(context, thrown, 'monitor')
  }
}
