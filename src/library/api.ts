import type { z } from 'zod'
import type { settings } from '../app/config.ts'
import type { ErrorCode as Code } from '../kernel/error.ts'
import type { CallOptions, EachOptions, PageHandler, PagesOptions } from './options.ts'

/*
 * Loose types of operations and settings. In the published package, `scripts/declarations` replaces the declarations of
 * this file by precise ones, which it generates from the schemas.
 */

export type Settings = { [K in keyof typeof settings]?: z.input<(typeof settings)[K]> }

export type ErrorCode = Code

/** A page as returned by scrape. */
export type Document = {
  metadata: { url: string; scrapeId: string; [field: string]: unknown }
  [field: string]: unknown
}

type Call = (input: object, options?: CallOptions) => Promise<object>
type Pages = (input: object, options?: PagesOptions) => AsyncGenerator<Document, JobEnd, undefined>
type Each = (input: object, handle: PageHandler<Document>, options?: EachOptions) => Promise<JobEnd>

/** A function for each operation, and two more for each job with pages, to read them: `crawlPages`, `crawlEach`. */
export type Operations = Readonly<Record<string, Call>> &
  Readonly<Record<`${string}Pages`, Pages>> &
  Readonly<Record<`${string}Each`, Each>>

/** Final state of a job, without its pages. */
export type JobEnd = {
  /** Job id, for `crawlErrors`, `activity` and others. */
  id: string
  status: string
  completed: number
  total: number
  creditsUsed: number
  failed?: number | undefined
  error?: string | undefined
  warning?: string | undefined
}
