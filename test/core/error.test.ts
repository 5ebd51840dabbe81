import { describe, expect, test } from 'vitest'
import { errors } from '../../src/kernel/error-table.ts'
import { AppError, type ErrorCode, failure, fromBody, toAppError, toBody } from '../../src/kernel/error.ts'

const codes = Object.keys(errors) as ErrorCode[]

test.each(codes)('%s has a status, a sentence on what happened and a sentence on what to do', (code) => {
  const { status, message, hint } = errors[code]
  expect(code).toMatch(/^[A-Z][A-Z_]+$/)
  expect(status === 200 || (status >= 400 && status <= 599)).toBe(true)
  expect(message).toMatch(/^[A-Z].*\.$/)
  expect(hint).toMatch(/^[A-Z].*\.$/)
})

describe('the body of an error', () => {
  test.each(codes)('carries %s to the other side and back', (code) => {
    const sent = failure(code, { details: { part: 1 } })
    const body: unknown = JSON.parse(JSON.stringify(toBody(sent)))
    // An incomplete response is at the top level of the body.
    const partial = code === 'SUPPORT_TIMEOUT' ? { part: 1 } : {}
    expect(body).toEqual({
      ...partial,
      success: false,
      error: sent.message,
      code,
      hint: sent.hint,
      details: { part: 1 },
    })
    const received = fromBody(sent.status, body)
    expect(received).toBeInstanceOf(AppError)
    expect({ ...received }).toEqual({ ...sent })
    expect(received.message).toBe(sent.message)
  })

  test('never contains the cause', () => {
    expect(JSON.stringify(toBody(failure('SCRAPE_SITE_ERROR', { cause: new Error('hunter2') })))).not.toContain(
      'hunter2',
    )
  })

  test('contains the first fault of a refused input in its text, because Firecrawl clients show nothing else', () => {
    const sent = failure('BAD_REQUEST', {
      details: [
        { path: ['formats', 1, 'quality'], message: 'Too big: expected number to be <=100', code: 'too_big' },
        { path: ['limit'], message: 'Expected number, received string', code: 'invalid_type' },
      ],
    })
    const body = toBody(sent)
    expect(body.error).toBe('Bad Request: formats[1].quality: Too big: expected number to be <=100')
    // `fromBody` removes the fault from the text again, because `details` lists it.
    expect({ ...fromBody(400, body), message: fromBody(400, body).message }).toEqual({ ...sent, message: sent.message })
  })

  test.each([
    [[{ path: [], message: 'Send code or a prompt.', code: 'custom' }], 'Send code or a prompt.'],
    [
      [{ path: ['urls', 0], message: 'Not an http or https URL.', code: 'custom' }],
      'urls[0]: Not an http or https URL.',
    ],
    [[{ path: 'job.id', message: 'Unknown field.', code: 'unrecognized_keys' }], 'Bad Request: job.id: Unknown field.'],
    [[], 'The request does not match the schema.'],
    [{ header: 'a' }, 'The request does not match the schema.'],
    [[{ path: ['a'], selector: '[' }], 'The request does not match the schema.'],
  ])('has a text that starts with "Bad Request" only for faults of the schema: %j', (details, error) => {
    expect(toBody(failure('BAD_REQUEST', { details }))).toMatchObject({ error, details })
  })

  test('keeps code and text of an error that only the remote server knows', () => {
    const error = fromBody(409, { success: false, error: 'Busy.', code: 'SOMETHING_NEW' })
    expect(error).toMatchObject({ code: 'SOMETHING_NEW', status: 409, message: 'Busy.', hint: undefined })
  })

  test.each([
    [402, 'INSUFFICIENT_CREDITS'],
    [404, 'JOB_NOT_FOUND'],
    [429, 'QUEUE_FULL'],
    [500, 'REMOTE_UNAVAILABLE'],
  ])('without a code and with status %i is reported as %s', (status, code) => {
    expect(fromBody(status, { success: false, error: 'No.' })).toMatchObject({ code, status, message: 'No.' })
  })

  test.each([[undefined], [null], ['<html>'], [[]], [{}], [{ error: 5, code: 7, hint: {} }]])(
    'that is %j becomes an error with texts of the table',
    (body) => {
      expect(fromBody(500, body)).toMatchObject({
        code: 'REMOTE_UNAVAILABLE',
        ...errors.REMOTE_UNAVAILABLE,
        status: 500,
      })
    },
  )
})

describe('toAppError', () => {
  test('returns an AppError unchanged', () => {
    const error = failure('QUEUE_FULL')
    expect(toAppError(error)).toBe(error)
  })

  test.each([[new TypeError('hunter2')], ['hunter2'], [{ password: 'hunter2' }], [undefined]])(
    'turns %j into an unknown error with an id for the caller and the cause for the log',
    (thrown) => {
      const error = toAppError(thrown, () => 'id-1')
      expect(error).toMatchObject({ code: 'UNKNOWN_ERROR', status: 500, details: { errorId: 'id-1' } })
      expect(error.cause).toBe(thrown)
      expect(error.message).toContain('id-1')
      expect(JSON.stringify(toBody(error))).not.toContain('hunter2')
    },
  )
})
