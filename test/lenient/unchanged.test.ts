import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readArguments, readInput } from '../../src/kernel/lenient/read-leniently.ts'
import { operations, tools } from '../../src/operations/index.ts'
import { operationsOf } from '../../src/kernel/tool.ts'
import { ownArguments } from '../../src/surfaces/mcp/tools.ts'
import { toolCall } from '../helpers/tool-call.ts'
import { parameters } from '../attack/hostile.ts'
import { validInputs } from './valid.ts'

describe.each(operations.map((operation) => ({ name: operation.name, operation })))('$name', ({ name, operation }) => {
  const tool = tools.find((each) => operationsOf(each).includes(operation))

  test('a valid input is returned as the same object, over REST and as arguments of its tool', () =>
    fc.assert(
      fc.property(validInputs(operation), (input) => {
        const { input: read, warning } = readInput(operation, input)
        expect(warning).toBeUndefined()
        expect(read).toBe(input)
        if (!tool || holdsNull(input)) return
        const args = toolCall(name, input).arguments as Record<string, unknown>
        expect(readArguments(tool, ownArguments(tool), { ...args })).toEqual({ input: args, warning: undefined })
      }),
      parameters(60),
    ))

  test('the example is returned unchanged', () => {
    expect(readInput(operation, { ...operation.example })).toEqual({ input: operation.example, warning: undefined })
  })
})

/** Models write null for what they leave out. */
const holdsNull = (input: object) => Object.values(input).includes(null)
