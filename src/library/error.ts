import { AppError } from '../kernel/error.ts'
import type { ErrorCode } from './api.ts'

/** What calls reject with, and what `createGossamer` throws. */
export interface GossamerError extends Error {
  /** One of `docs/reference/errors.md`; a remote service may know others. */
  readonly code: ErrorCode | (string & {})
  /** The HTTP status that it is answered with over REST. */
  readonly status: number
  /** The next call to make. */
  readonly hint: string | undefined
  /** Which part of the input is at fault: for BAD_REQUEST a list of `{path, message, code}`. */
  readonly details: unknown
}

/** For `instanceof`: such errors are made by calls alone. */
export const GossamerError: abstract new (...made: never) => GossamerError = AppError
