import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { wordCount } from '../../engine/html/page/word-count.ts'
import { AppError, toAppError } from '../../kernel/error.ts'
import { statesOf } from '../../library/job-pages.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { version } from '../../version.ts'
import { type Command, type CommandContext, UsageError, isForPerson } from '../command.ts'
import {
  type ContinuedBy,
  findContinuation,
  type CrawlFaults,
  type CrawlState,
  type Ended,
  type Followed,
  stoppedText,
  summaryOf,
  summaryText,
} from '../export/follow-crawl.ts'
import { openOutlets, type Outlets } from '../export/outlets.ts'
import { type CrawlPlan, planOf } from '../export/crawl-plan.ts'
import { type CrawlExplainer, createCrawlExplainer } from '../crawl-report.ts'
import { createProgress, type Progress, type Screen, screenOf } from '../progress-bar.ts'
import { harmless, type Style } from '../terminal-io.ts'
import { errorText, callerOf } from './call-command.ts'

/** Access to the machine; tests replace it. */
type Surroundings = {
  screen: Screen
  pause: Followed['pause']
  /** Resolves when the reader of the output has taken most of it. */
  drained(signal: AbortSignal): Promise<unknown>
}

/** `gossamer crawl URL [OPTIONS_JSON]`: a whole site as files, a table or a web archive, or on stdout. */
export const crawlCommand: Command = (context) => {
  const { stdout } = process
  return crawl(context, {
    screen: screenOf(context.terminal),
    pause: async (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
    drained: async (signal) => stdout.writableNeedDrain && once(stdout, 'drain', { signal }).catch(() => {}),
  })
}

const noExchanges =
  '--warc needs pages to be fetched locally, but GOSSAMER_REMOTE_URL forwards them to a remote service.'

/** Time limit for the app to close, so that the last pages are still archived. */
const closeMs = 2000

const timeWidth = 'earlier'.length + 1
const statusWidth = 6

/** Creates a view that prints one line per page of a crawl: time, status, length, URL. */
export function createWatchView(write: (line: string) => void, style: Style, now: () => number): WatchView {
  let shown = 0
  const line = (time: string, status: string, more: string) =>
    write(`${style('dim', time.padEnd(timeWidth))}  ${status}  ${harmless(more)}\n`)
  return {
    page({ metadata: { statusCode, url, cacheState }, markdown }, when) {
      const status = style((statusCode ?? 0) < 400 ? 'green' : 'yellow', String(statusCode ?? '–').padEnd(statusWidth))
      const words = markdown === undefined ? '' : `${wordCount(markdown).toLocaleString('en-US')} words`
      const time = when === 'now' ? clock(now()) : when
      line(time, status, `${words.padStart(13)}  ${url}${cacheState === 'hit' ? '  (cache)' : ''}`)
    },
    failed(errors) {
      for (const { url, code, error } of errors.slice(shown))
        line(clock(now()), style('red', 'failed'.padEnd(statusWidth)), `${code ?? error}  ${url}`)
      shown = Math.max(shown, errors.length)
    },
  }
}

const clock = (at: number) => new Date(at).toTimeString().slice(0, 8)

export async function crawl(context: CommandContext, around: Surroundings): Promise<number> {
  const plan = await planOf(context.words, context.flags)
  if (plan.warc && context.config.remoteUrl !== undefined) throw new UsageError(noExchanges)
  const disk = new AbortController()
  const progress = createProgress(around.screen)
  const say = (text: string) => {
    progress.clear()
    context.terminal.err(text)
  }
  const { style } = context.terminal
  const view = context.flags.watch ? createWatchView(say, style.err, around.screen.now) : undefined
  const outlets = await openOutlets(plan, {
    software: `gossamer ${version}`,
    now: around.screen.now,
    watch: context.app.watchExchanges,
    failed: (cause) => disk.abort(cause),
    print: async (document) => {
      progress.clear()
      if (view && isForPerson(context)) return
      context.terminal.out(isForPerson(context) ? pageText(document) : `${JSON.stringify(document)}\n`)
      await around.drained(context.signal)
    },
  })
  const explainer = context.flags.explain ? createCrawlExplainer(context, say) : undefined
  const run = { context, around, plan, outlets, progress, view, explainer, disk: disk.signal }
  const outcome = await outcomeOf(run)
  progress.clear()
  await explained(run, outcome)
  const end = await closed(run, outcome)
  return reportOutcome(end, run, end.kind === 'ended' ? undefined : await continuationAfter(run, end))
}

type WatchView = {
  /** Shows a page. `earlier`: it was read before this command started. */
  page(document: Document, when: 'now' | 'earlier'): void
  /** Receives all faults so far, and shows the new ones. */
  failed(errors: CrawlFaults['errors']): void
}

type Call = ReturnType<typeof callerOf>

/** Returns the URL of a crawl. For a crawl that is watched by its id, it is looked up. */
async function urlOf({ start }: CrawlPlan, call: Call): Promise<string> {
  if (!('resumed' in start)) return start.url
  const { id, url } = start.resumed
  if (url !== id) return url
  const { crawls } = await call<{ crawls: readonly { id: string; url: string }[] }>('crawl_active', {})
  return crawls.find((each) => each.id === id)?.url ?? id
}

type Watched = { plan: CrawlPlan; outlets: Outlets; view: WatchView | undefined }

/** Shows pages as they are written. If the crawl was already running, the pages of the first poll are earlier ones. */
function watching({ plan, outlets, view }: Watched, call: Call, id: string) {
  let earlier = 'resumed' in plan.start ? undefined : 0
  let known = 0
  return {
    received(state: CrawlState): CrawlState {
      earlier ??= state.completed
      return state
    },
    async write(document: Document): Promise<void> {
      await outlets.write(document)
      view?.page(document, outlets.written() <= (earlier ?? 0) ? 'earlier' : 'now')
    },
    async polled(failed: number): Promise<void> {
      if (view && failed > known) view.failed((await call<CrawlFaults>('crawl_errors', { id })).errors)
      known = failed
    },
  }
}

type Run = {
  context: CommandContext
  around: Surroundings
  plan: CrawlPlan
  outlets: Outlets
  progress: Progress
  view: WatchView | undefined
  explainer: CrawlExplainer | undefined
  /** Aborts when exchanges can no longer be written. */
  disk: AbortSignal
}
type Outcome =
  | ({ kind: 'ended' } & Ended)
  | { kind: 'stopped'; id: string | undefined }
  | { kind: 'failed'; id: string | undefined; cause: unknown }

async function outcomeOf(run: Run): Promise<Outcome> {
  const { context, around, plan, outlets, progress, view, explainer, disk } = run
  const startedAt = around.screen.now()
  const signal = AbortSignal.any([context.signal, disk])
  const call = callerOf(context, signal)
  const notes = newNotes((note) => {
    progress.clear()
    context.terminal.err(`Note: ${harmless(note)}\n`)
  })
  let id: string | undefined
  try {
    id = 'resumed' in plan.start ? plan.start.resumed.id : (await call<{ id: string }>('crawl', plan.start.input)).id
    const which = { id, url: await urlOf(plan, call) }
    if (view && !('resumed' in plan.start))
      context.terminal.err(`Watching ${harmless(which.url)}: gossamer crawl ${id} --watch attaches to it again.\n`)
    const watched = watching(run, call, id)
    await outlets.note({ ...which, status: 'scraping' })
    const state = await follow(
      {
        state: async (skip) => watched.received(await call<CrawlState>('crawl_status', { id, skip })),
        write: watched.write,
        written: outlets.written,
        pause: around.pause,
        polled: async ({ status, completed, total, failed = 0, data, warning }) => {
          if (status === 'scraping') notes.add(warning)
          await watched.polled(failed)
          progress.update({
            done: completed,
            total,
            failed,
            ...(view && { waiting: Math.max(0, total - completed - failed) }),
          })
          await explainer?.polled(which.id)
          if (data.length > 0 || status !== 'scraping') await outlets.note({ ...which, status })
        },
      },
      signal,
    )
    disk.throwIfAborted()
    const isWritten = state.status !== 'scraping' && outlets.written() >= state.completed
    if (context.signal.aborted && !isWritten) return { kind: 'stopped', id }
    const faults = await call<CrawlFaults>('crawl_errors', { id })
    await outlets.finish(context.signal)
    return { kind: 'ended', ...which, state, faults, tookMs: around.screen.now() - startedAt }
  } catch (cause) {
    return context.signal.aborted ? { kind: 'stopped', id } : { kind: 'failed', id, cause }
  }
}

/**
 * Reads the documents of a crawl until it is over. When the signal aborts, takes the documents available by then and
 * ends.
 */
export async function follow(
  { state, pause, write, written, polled }: Followed,
  signal: AbortSignal,
): Promise<CrawlState> {
  let last: CrawlState | undefined
  for await (const current of statesOf({ state, pause, taken: written }, signal)) {
    for (const document of current.data) await write(document)
    await polled(current)
    last = current
  }
  return last!
}

/** Finds out who continues a crawl after this process; undefined if that is not known. */
const continuationAfter = async ({ context }: Run, { id }: Outcome): Promise<ContinuedBy | undefined> =>
  id === undefined ? undefined : findContinuation(id, context).catch(() => undefined)

/** Explains which pages the crawl took, even if it was stopped. */
async function explained({ explainer, context }: Run, { id }: Outcome): Promise<void> {
  if (id === undefined) return
  await explainer
    ?.ended(id)
    .catch((cause: unknown) => context.terminal.err(`--explain: ${errorText(toAppError(cause), context)}`))
}

/** Reports new warnings while the crawl runs, because they may require action. */
function newNotes(say: (note: string) => void) {
  let last: string | undefined
  return {
    add(note: string | undefined): void {
      if (note !== undefined && note !== last) say(note)
      last = note
    },
  }
}

/** Closes the outputs. If that fails, the outcome becomes a failure, unless it already is one. */
async function closed({ context, around, plan, outlets }: Run, outcome: Outcome): Promise<Outcome> {
  try {
    // Pages in progress may still arrive, and they belong in the archive.
    if (plan.warc && outcome.kind !== 'ended')
      await Promise.race([context.app.close(), around.pause(closeMs, new AbortController().signal)])
    await outlets.close()
    return outcome
  } catch (cause) {
    return outcome.kind === 'failed' ? outcome : { kind: 'failed', id: outcome.id, cause }
  }
}

function pageText({ metadata, markdown = '' }: Document): string {
  return harmless(`${metadata.title ?? metadata.url}\n${metadata.url}\n\n${markdown.trim()}\n\n`)
}

/** Reports how the crawl ended; returns the exit code. */
function reportOutcome(
  outcome: Outcome,
  { context, plan, outlets }: Run,
  continuedBy: ContinuedBy | undefined,
): number {
  const { terminal, flags } = context
  const say = (text: string) => terminal.err(`${harmless(text)}\n`)
  if (outcome.kind === 'ended') {
    const places = {
      ...(plan.out && { out: plan.out.path }),
      ...(plan.warc && { warc: plan.warc.file, unarchived: outlets.unarchived() }),
    }
    say(summaryText(outcome, places))
    if (Object.keys(places).length > 0 && !isForPerson(context))
      terminal.out(`${JSON.stringify({ ...summaryOf(outcome), ...places })}\n`)
    return outcome.state.status === 'completed' ? 0 : 1
  }
  if (outcome.kind === 'failed') say(faultText(outcome.cause, context))
  if (outcome.kind === 'stopped' || mayGoOn(outcome))
    say(stoppedText({ id: outcome.id, out: flags.out, written: outlets.written(), continuedBy }))
  return outcome.kind === 'failed' ? 1 : 130
}

const mayGoOn = ({ id, cause }: { id: string | undefined; cause: unknown }) =>
  id !== undefined && !(cause instanceof AppError && cause.code === 'JOB_NOT_FOUND')

function faultText(cause: unknown, context: CommandContext): string {
  const isOfSystem = cause instanceof Error && 'syscall' in cause
  if (isOfSystem || cause instanceof UsageError) return cause.message
  const error = toAppError(cause)
  if (error.cause !== undefined) context.log.error('crawl failed', { code: error.code, cause: error.cause })
  return errorText(error, context).trimEnd()
}
