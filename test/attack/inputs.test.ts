import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errors } from '../../src/kernel/error-table.ts'
import { operations } from '../../src/operations/index.ts'
import { hasTool } from '../helpers/tool-call.ts'
import { anyJson, isFull, parameters, seed, spoilt } from './hostile.ts'
import { type Outcome, transports } from './transports.ts'
import { openStand, ran } from './stand.ts'
import { forAll } from '../helpers/for-all.ts'

const stand = forAll(openStand)

/**
 * Transports over which every operation is called; the others get a random sample, because they differ only in framing.
 */
const fullTransports = ['REST', 'MCP over stdio']
const sampled = fc.sample(
  fc.subarray(
    operations.map(({ name }) => name),
    { minLength: 6, maxLength: 6 },
  ),
  { seed, numRuns: 1 },
)[0]!

const cases = Object.entries(transports).flatMap(([transport, go]) =>
  operations
    .filter((each) => !transport.startsWith('MCP') || hasTool(each))
    .filter(({ name }) => isFull || fullTransports.includes(transport) || sampled.includes(name))
    .map((each) => ({ transport, name: each.name, go, each })),
)

/** Checks that an answer is short and has a known code, and that no prototype has changed. */
function check({ text, status, code }: Outcome): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000)
  expect(code).toMatch(/^(?:[A-Z_]+|protocol error -3260[02])$/)
  if (!code?.startsWith('protocol')) expect(Object.keys(errors)).toContain(code)
  expect(code).not.toBe('UNKNOWN_ERROR')
  if (status !== undefined) expect([400, 404, 413]).toContain(status)
  expect(Object.keys(Object.prototype)).toEqual([])
}

describe.each(cases)('$transport: $name', ({ transport, go, each }) => {
  const operation = () => stand.app.operations.find(({ name }) => name === each.name)!

  test('accepts its example', async () => {
    const { code } = await go(stand, operation(), each.example)
    // /v1 lacks some operations.
    expect(code).toBe(transport === '/v1' && code === 'NOT_FOUND' ? 'NOT_FOUND' : ran)
  })

  test('survives arbitrary values as input', () =>
    fc.assert(
      fc.asyncProperty(anyJson, async (input) => check(await go(stand, operation(), input))),
      parameters(8),
    ))

  test('survives arbitrary values within its input', () =>
    fc.assert(
      fc.asyncProperty(spoilt(each.example, Object.keys(each.input.shape)), async (input) =>
        check(await go(stand, operation(), input)),
      ),
      parameters(12),
    ))
})
