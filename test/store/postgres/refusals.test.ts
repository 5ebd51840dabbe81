import { expect, test } from 'vitest'
import { refusal } from '../../../src/engine/store/postgres/postgres-db.ts'

const thrown = (message: string, code?: string) => Object.assign(new Error(message), code === undefined ? {} : { code })

test.each([
  ['refused', thrown('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED')],
  ['reset', thrown('read ECONNRESET', 'ECONNRESET')],
  ['an unknown host', thrown('getaddrinfo ENOTFOUND db', 'ENOTFOUND')],
  ['a certificate of its own', thrown('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['a wrong password', thrown('password authentication failed', '28P01')],
  ['no such database', thrown('database "x" does not exist', '3D000')],
  ['the operator ends it', thrown('terminating connection due to administrator command', '57P01')],
  ['too many connections', thrown('sorry, too many clients already', '53300')],
  ['no answer in time', thrown('Query read timeout')],
  ['gone in the middle', thrown('Connection terminated unexpectedly')],
  ['paused in a transaction', thrown('terminating connection', '25P03')],
])('%s: the database does not answer', (_, cause) => {
  expect(refusal(cause)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503, cause })
})

test('a full disk is reported as such', () => {
  expect(refusal(thrown('could not extend file', '53100'))).toMatchObject({ code: 'STORAGE_FULL' })
})

test.each([
  ['a wrong statement', thrown('syntax error at or near "x"', '42601')],
  ['a row that is there already', thrown('duplicate key value', '23505')],
  ['a mistake of ours', thrown('The "data" argument must be of type string', 'ERR_INVALID_ARG_TYPE')],
])('%s is not reported as an unreachable database', (_, cause) => {
  expect(refusal(cause)).not.toHaveProperty('code')
  expect(refusal(cause).message).toBe(`The database refused a statement: ${cause.message}.`)
})
