import type { z } from 'zod'
import type { settings } from '../app/config.ts'
import type { ErrorCode as Code } from '../kernel/error.ts'
import type { CallOptions, EachOptions, PageHandler, PagesOptions } from './options.ts'

/*
 * What depends on the operations and the settings, as loosely as it can be said by hand. In the package the declarations
 * of this file are others, which `scripts/declarations` writes from their schemas: each operation by its name, with its types.
 */

export type Settings = { [K in keyof typeof settings]?: z.input<(typeof settings)[K]> }

export type ErrorCode = Code

/** A page as scrape answers it. */
export type Document = {
  metadata: { url: string; scrapeId: string; [field: string]: unknown }
  [field: string]: unknown
}

type Call = (input: object, options?: CallOptions) => Promise<object>
type Pages = (input: object, options?: PagesOptions) => AsyncGenerator<Document, JobEnd, undefined>
type Each = (input: object, handle: PageHandler<Document>, options?: EachOptions) => Promise<JobEnd>

/** One function for each operation, and for each job that brings pages two that read them: `crawlPages`, `crawlEach`. */
export type Operations = Readonly<Record<string, Call>> &
  Readonly<Record<`${string}Pages`, Pages>> &
  Readonly<Record<`${string}Each`, Each>>

/** How a job ended whose pages were read: its state without the pages. */
export type JobEnd = {
  /** For `crawlErrors`, `activity` and others that take the id of a job. */
  id: string
  status: string
  completed: number
  total: number
  creditsUsed: number
  failed?: number | undefined
  error?: string | undefined
  warning?: string | undefined
}
