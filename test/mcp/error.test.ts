import { describe, expect, it } from 'vitest'
import { failure, toAppError } from '../../src/kernel/error.ts'
import { toolsOf } from '../../src/kernel/tool.ts'
import { toErrorResult } from '../../src/surfaces/mcp/call-tool.ts'
import { toyOperations } from './toy.ts'

const add = toolsOf(toyOperations(), []).find(({ name }) => name === 'toy_add')!
const textOf = (error: unknown, input: Record<string, unknown> = {}) => {
  const { isError, content } = toErrorResult(toAppError(error), add, { input })
  expect(isError).toBe(true)
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

const textWith = (details: object) =>
  textOf(failure('SEARCH_UNAVAILABLE', { message: 'None: mojeek failed.', details }))

describe('the text of an error', () => {
  it('has the code, the message and the next step', () => {
    expect(textOf(failure('JOB_NOT_FOUND'))).toBe(
      'JOB_NOT_FOUND: Job not found.\nNext: Job ids expire. List recent ones with activity (GET /v2/team/activity).',
    )
  })

  it('has a line for each invalid field, and a valid example', () => {
    const details = [
      { path: 'a', message: 'Expected number, received string', code: 'invalid_type' },
      { path: 'tags.list[1].name', message: 'Too small', code: 'too_small' },
      { path: '', message: 'Give a or b.', code: 'custom' },
      { path: 'c', message: 'Unknown field.', code: 'unrecognized_keys' },
    ]
    const input = { a: 'x', tags: { list: [1, { name: 'secret cookie' }] }, c: 1 }
    expect(textOf(failure('BAD_REQUEST', { details }), input)).toBe(
      [
        'BAD_REQUEST: The request does not match the schema.',
        '- a: Expected number, received string',
        '- tags.list[1].name: Too small (got a string of 13 characters)',
        '- arguments: Give a or b. (got an object)',
        '- c: Unknown field.',
        'Next: Correct the listed fields and call again. Example: {"a":1,"b":2,"unit":"kg"}',
      ].join('\n'),
    )
  })

  it('shows the example of an operation only if it is a call of the tool', () => {
    const details = [{ path: 'a', message: 'Wrong.', code: 'custom' }]
    const hinted = (example: object) =>
      textOf(failure('BAD_REQUEST', { details, hint: `Correct it. Example: ${JSON.stringify(example)}` }))
    expect(hinted({ a: 5, b: 6 })).toMatch(/Next: Correct it\. Example: \{"a":5,"b":6\}$/)
    expect(hinted({ first: 5, b: 6 })).toMatch(/Next: Correct it\. Example: \{"a":1,"b":2,"unit":"kg"\}$/)
  })

  it('shows details unless the message contains them', () => {
    expect(textWith({ providers: ['mojeek failed.'] })).not.toContain('Details')
    expect(textWith({ providers: ['bing failed.'] })).toContain('Details: {"providers":["bing failed."]}')
  })

  it('mentions once how the arguments were read', () => {
    const [read, warning] = ['Read a as a number.', 'Read a as a number. Ignored unknown field: c.']
    const { content } = toErrorResult(failure('JOB_NOT_FOUND').with({ warning }), add, { input: {}, warning: read })
    expect(content).toMatchObject([{ text: expect.stringContaining(`\nWarning: ${warning}\nNext: `) }])
  })

  it.each([
    [42, '42'],
    [true, 'true'],
    [null, 'null'],
    [[1, 2], 'an array of 2'],
    [{}, 'an object'],
  ])('shows the received value or its type: %j', (value, shown) => {
    const details = [{ path: 'a', message: 'Wrong.', code: 'custom' }]
    expect(textOf(failure('BAD_REQUEST', { details }), { a: value })).toContain(`- a: Wrong. (got ${shown})\n`)
  })

  it('has an id instead of internal details', () => {
    const text = textOf(new Error('secret inner workings'))
    expect(text).toMatch(/^UNKNOWN_ERROR: .* Error id: [0-9a-f-]{36}\.\nNext: /)
    expect(text).not.toContain('secret')
  })
})
