import { AppError } from '../kernel/error.ts'
import type { ErrorCode } from './api.ts'

/** Error that calls reject with, and that `createGossamer` throws. */
export interface GossamerError extends Error {
  /** A code from `docs/reference/errors.md`; a remote service may have others. */
  readonly code: ErrorCode | (string & {})
  /** HTTP status of the error over REST. */
  readonly status: number
  /** The next call to make. */
  readonly hint: string | undefined
  /** The invalid parts of the input: for BAD_REQUEST a list of `{path, message, code}`. */
  readonly details: unknown
}

/** Exported for `instanceof` only, hence abstract. */
export const GossamerError: abstract new (...made: never) => GossamerError = AppError
