import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Ctx } from '../kernel/ctx.ts'
import { AppError } from '../kernel/error.ts'
import type { Handler, Middleware } from '../kernel/invoke.ts'
import { isFinished, type JobProgress, type JobState } from '../kernel/operation.ts'
import { type Link, linkedFilePath, type LinkedFiles } from '../contracts/fetch.ts'

type Output = { warning?: string; data?: { warning?: string } }

/** Adds the warnings of a call to its output: in `data.warning` if that field exists, otherwise in `warning`. */
export const collectWarnings: Middleware = ({ output: { shape } }, next) => {
  const isInData = shape['data'] instanceof z.ZodObject && 'warning' in shape['data'].shape
  return async (input, ctx) => {
    const warnings: string[] = [...(ctx.notes ?? [])]
    const recording = { ...ctx, warn: (warning: string) => void warnings.push(warning) }
    const output: Output = await next(input, recording).catch((thrown: unknown) => {
      throw warnings.length > 0 && thrown instanceof AppError ? thrown.with({ warning: warnings.join(' ') }) : thrown
    })
    if (warnings.length === 0) return output
    const joined = (earlier: string | undefined) => [earlier, ...warnings].filter(Boolean).join(' ')
    if (isInData && output.data) return { ...output, data: { ...output.data, warning: joined(output.data.warning) } }
    return { ...output, warning: joined(output.warning) }
  }
}

const firstPauseMs = 100
const longestPauseMs = 1000

/**
 * Makes calls that start or read a job wait for it, for at most `wait` seconds (up to 300). Starting calls then return
 * its state as `job`; reading calls return once it has ended or the time is up. Waiting happens on this side, so it
 * works with a remote service too. A caller that disconnects ends the wait, not the job.
 */
export const waitForJob: Middleware = ({ name, follow, awaits }, next, invoke) => {
  if (follow)
    return waiting(next, async (waitMs, input, ctx) => {
      const output = (await next(input, ctx)) as { id: string }
      if (waitMs === 0) return output
      ctx.started?.()
      // Reports the id early, for callers that stop waiting.
      ctx.progress(0, undefined, `${name} ${output.id} has started`)
      const { operation, answers } = follow
      const read = (range: Partial<Range>) =>
        invoke(operation, { id: output.id, ...(answers === 'pages' && range) }, ctx) as Promise<JobProgress>
      return { ...output, job: await waitFor(read, waitMs, ctx) }
    })
  if (awaits)
    return waiting(next, (waitMs, input, ctx) => {
      const read = (range: Partial<Range>) =>
        next({ ...input, ...(awaits === 'pages' && range) }, ctx) as Promise<JobProgress>
      return waitMs === 0 ? next(input, ctx) : waitFor(read, waitMs, ctx, {})
    })
  return next
}

/**
 * Calls `wait` with the requested length; an input with an invalid length is passed on, so that validation reports it.
 */
const waiting =
  (next: Handler, wait: (waitMs: number, input: object, ctx: Ctx) => Promise<object>): Handler =>
  (input, ctx) => {
    const { wait: seconds = 0, ...rest } = input as { wait?: unknown }
    const isLength = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= 300
    return isLength ? wait(seconds * 1000, rest, ctx) : next(input, ctx)
  }

/** Range of pages in an answer. */
type Range = { skip: number; limit: number }

async function waitFor(
  read: (range: Partial<Range>) => Promise<JobProgress>,
  waitMs: number,
  { signal, progress }: Ctx,
  wanted: Partial<Range> = { skip: 0, limit: 100 },
): Promise<JobProgress> {
  const endsAt = Date.now() + waitMs
  let pauseMs = firstPauseMs
  let state = await read({ skip: 0, limit: 1 })
  while (!isFinished(state) && Date.now() < endsAt) {
    await sleep(Math.min(pauseMs, Math.max(0, endsAt - Date.now())), undefined, { signal })
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)
    state = await read({ skip: state.completed, limit: 1 })
    progress(state.completed, state.total || undefined, newest(state))
  }
  return read(wanted)
}

/** Number of pages, and the URL of the newest one. */
function newest({ data, completed, total }: JobProgress & Partial<Pick<JobState, 'data'>>): string {
  const [last] = Array.isArray(data) ? data.slice(-1) : []
  const { metadata } = (last ?? {}) as { metadata?: { sourceURL?: unknown } }
  const url = typeof metadata?.sourceURL === 'string' ? `: ${metadata.sourceURL}` : ''
  return `${completed} of ${total} pages${url}`
}

/**
 * Replaces screenshots and PDFs in the output with links to this server, for clients that download them separately.
 * The outermost middleware, so that jobs are recorded with the files themselves.
 */
export const externalizeMedia =
  (files: Pick<LinkedFiles, 'keep'>): Middleware =>
  (operation, next) => {
    const { withLinks } = operation
    if (!withLinks) return next
    return async (input, ctx) => {
      const marks = { isEphemeral: false }
      const output = await next(input, {
        ...ctx,
        takesStored: false,
        keepNothing: () => void (marks.isEphemeral = true),
      })
      if (marks.isEphemeral) return output
      // The output of a remote service may violate the schema.
      if (!operation.output.safeParse(output).success) return output
      const parsed = operation.input.safeParse(input)
      return withLinks(output, linkOf(files, ctx), parsed.success ? parsed.data : input)
    }
  }

/** Media types that are served from our own origin. Others are not, above all those that a browser would execute. */
const servedFile = /^data:(image\/(?:png|jpeg|webp)|application\/pdf);base64,/

const linkOf =
  (files: Pick<LinkedFiles, 'keep'>, { team, baseUrl, log }: Ctx): Link =>
  async (dataUrl, until) => {
    const [head, mediaType] = servedFile.exec(dataUrl) ?? []
    if (head === undefined || mediaType === undefined) return dataUrl
    try {
      const bytes = Buffer.from(dataUrl.slice(head.length), 'base64')
      const id = await files.keep({ teamId: team.id, mediaType, bytes, until })
      return `${baseUrl}${linkedFilePath(id)}`
    } catch (cause) {
      // The data URL itself works too, but is longer than a link.
      log.warn('a picture or PDF could not be stored for a link', { cause })
      return dataUrl
    }
  }
