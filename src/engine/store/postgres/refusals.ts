import { type AppError, failure } from '../../../kernel/error.ts'
import { errorCode } from '../../../util/error-code.ts'
import { OtherSchema } from '../tables.ts'

/**
 * Classes of SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html): no connection, the operator ends it, too many, no
 * lock in time, paused in a transaction.
 */
const unavailable = /^(?:08|57P|53300|28|3D000|55P03|25P03)/
/** Of the operating system and of TLS. */
const unreachable = /^(?:ECONN|ENOT|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET|CERT_|ERR_(?:SSL|TLS)|\w*_?CERT(?:IFICATE)?\w*$)/
/** Of the driver, which has no codes. */
const lost = /connection (?:terminated|ended|timeout|closed)|(?:read )?timeout|not queryable|client was closed/i
const diskFull = '53100'

/** Whether nothing is wrong with what was asked: the server was not there, or is going away. */
export function isLost(thrown: unknown): boolean {
  const code = errorCode(thrown) ?? ''
  if (unavailable.test(code) || unreachable.test(code)) return true
  return thrown instanceof Error && lost.test(thrown.message)
}

/** DATABASE_UNAVAILABLE, STORAGE_FULL, or what is wrong with a statement. */
export function refusal(thrown: unknown): AppError | Error {
  if (isLost(thrown)) return failure('DATABASE_UNAVAILABLE', { cause: thrown })
  if (thrown instanceof OtherSchema)
    return failure('DATABASE_UNAVAILABLE', {
      message: `The database was written by ${thrown.isNewer ? 'a later' : 'an earlier'} version of this program: ${thrown.message}.`,
      hint: `${thrown.isNewer ? 'Update this program, or name' : 'Name'} a new database in GOSSAMER_DATABASE_URL; this one is left as it is.`,
      cause: thrown,
    })
  if (errorCode(thrown) === diskFull) return failure('STORAGE_FULL', { cause: thrown })
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Error(`The database refused a statement: ${message}.`, { cause: thrown })
}
