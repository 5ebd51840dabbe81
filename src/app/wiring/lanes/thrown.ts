import { AppError } from '../../../kernel/error.ts'

type Plain = { name: string; message: string; stack: string | undefined }
/** What was thrown, as another thread can be told: an error meant for the caller whole, any other by its text. */
export type Thrown =
  | {
      kind: 'told'
      error: Pick<AppError, 'code' | 'status' | 'message' | 'hint' | 'details'>
      cause: Plain | undefined
    }
  | { kind: 'other'; error: Plain }

export function packThrown(thrown: unknown): Thrown {
  if (!(thrown instanceof AppError)) return { kind: 'other', error: plain(thrown) }
  const { code, status, message, hint, details, cause } = thrown
  const error = { code, status, message, hint, details: asJson(details) }
  return { kind: 'told', error, cause: cause === undefined ? undefined : plain(cause) }
}

export function unpackThrown(thrown: Thrown): Error {
  if (thrown.kind === 'other') return errorOf(thrown.error)
  const { error, cause } = thrown
  return new AppError(error.code, { ...error, cause: cause && errorOf(cause) })
}

function plain(thrown: unknown): Plain {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), stack: undefined }
  const { name, message, stack } = thrown
  return { name, message, stack }
}

const errorOf = ({ name, message, stack }: Plain): Error => Object.assign(new Error(message), { name, stack })

/** Details go into answers as JSON; what is no JSON cannot be sent to another thread either. */
const asJson = (details: unknown): unknown => (details === undefined ? undefined : JSON.parse(JSON.stringify(details)))
