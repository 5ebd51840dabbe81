import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localTeam } from '../../app/app.ts'
import type { LlmsTxtState } from '../../schema/workflow-schemas.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { createProgress } from '../progress-bar.ts'
import { harmless } from '../terminal-io.ts'
import { usageError, limitIn, objectIn } from '../usage/syntax.ts'
import { showFailure } from './call-command.ts'

const pollMs = 250
const mostPages = 1000
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
    ...(limit !== undefined && { maxUrls: limitIn(limit, mostPages) }),
    ...(out !== undefined && { showFullText: true }),
    ...objectIn(more ?? '{}', { maxUrls: 20 }),
  }
  try {
    const state = await stateAtEnd(context, input)
    return state ? await told(context, state) : stopped
  } catch (thrown) {
    return showFailure(context, thrown, 'llmstxt')
  }
}

/** Undefined if the program was told to stop: the job is then cancelled. */
async function stateAtEnd({ app, terminal, signal }: CommandContext, input: object): Promise<LlmsTxtState | undefined> {
  const call = async <Output>(name: string, given: object): Promise<Output> => {
    const operation = app.operations.find((each) => each.name === name)
    if (!operation) throw new UsageError(`This version has no operation ${name}.`)
    // Cancelling the job ends the work in progress.
    const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
    return (await app.invoke(operation, given, ctx)) as Output
  }
  const { stderr } = process
  const isTerminal = stderr.isTTY === true
  const progress = createProgress({
    write: terminal.err,
    isTerminal,
    columns: () => stderr.columns || 80,
    now: Date.now,
  })
  const { id } = await call<{ id: string }>('llmstxt', input)
  for (;;) {
    const state = await call<LlmsTxtState>('llmstxt_status', { id })
    if (state.status !== 'processing') {
      progress.clear()
      return state
    }
    progress.update({ done: state.completed, total: state.total, failed: 0 })
    await wait(pollMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) {
      progress.clear()
      await call('extract_cancel', { id })
      return undefined
    }
  }
}

const isForPerson = ({ terminal, flags }: CommandContext) => terminal.isInteractive && !flags.json

/** Writes the result; returns the exit code. */
async function told(context: CommandContext, { data, error, warning }: LlmsTxtState): Promise<number> {
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
