import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { callingOf, callsFor } from '../../src/kernel/tool.ts'
import { tools as offered } from '../../src/operations/index.ts'
import { toolCall } from '../helpers/tool-call.ts'
import { type Call, calls, isOperation, openTools, operationOf, overWire } from './corpus.ts'

const tools = openTools()
afterAll(() => tools.close())

const onTheWire = ({ tool, meant = {} }: Call): object => operationOf(tool).input.parse(meant)

/** Some defaults of tools differ from those of REST, and a tool may call another operation first. */
function asTool({ tool, meant = {} }: Call): object {
  const { name, arguments: args } = toolCall(tool, meant)
  const [call] = callsFor(
    offered.find((each) => each.name === name)!,
    args as Record<string, unknown>,
  )
  return call!.operation.input.parse(call!.input)
}
/** Name of the wrong field in the tool. */
const fieldOf = ({ tool, error }: Call): string => {
  const names = isOperation(tool) ? callingOf(offered, operationOf(tool))!.names : {}
  return names[error?.field ?? ''] ?? error?.field ?? ''
}
const named = calls.map((each): [string, Call] => [`${each.tool} ${JSON.stringify(each.sent)}`.slice(0, 160), each])
const served = named.filter(([, each]) => each.meant)
const refused = named.filter(([, each]) => each.error)
const redirected = named.filter(([, each]) => each.instead)

test('the corpus has many calls of every tool, and most of them are to be served', () => {
  const ofTools = Map.groupBy(calls, ({ tool }) => tool)
  expect([...ofTools].filter(([, all]) => all.length < 5)).toEqual([])
  expect(calls.length).toBeGreaterThanOrEqual(200)
  expect(served.length / calls.length).toBeGreaterThanOrEqual(0.7)
})

test.each(served)('%s is read as meant', async (_name, each) => {
  const { input, warning, error } = await tools.call(each)
  expect(error).toBeUndefined()
  expect(input).toEqual(asTool(each))
  if (each.meant && each.tells !== undefined) {
    expect(warning).toContain('Ignored unknown field')
    expect(warning).toContain(each.tells)
  } else expect(warning).not.toContain('Ignored')
  expect(warning.length).toBeLessThan(250)
})

test.each(refused)('%s is refused with field, expectation and example', async (_name, each) => {
  const { error = '' } = await tools.call(each)
  const line = error.split('\n').find((text) => text.startsWith(`- ${fieldOf(each)}`))
  expect(error).toMatch(/^BAD_REQUEST: /)
  expect(line).toContain(each.error?.expects)
  expect(error).toContain('Example: {')
})

test.each(redirected)('%s is answered with the call to make instead', async (_name, each) => {
  const { error = '' } = await tools.call(each)
  expect(error).toMatch(/^BAD_REQUEST: /)
  expect(error.slice(error.indexOf('Next: '))).toContain(each.instead)
})

describe('over REST', () => {
  test('no call is silently misread, and calls meant for REST are served', async () => {
    // A tool for several operations has no REST route.
    // Actions that tools refer elsewhere are done over REST.
    const ofOperations = calls.filter(({ tool, instead }) => isOperation(tool) && instead === undefined)
    const outcomes = await Promise.all(ofOperations.map(async (each) => ({ each, ...(await overWire(each)) })))
    const silent = outcomes.filter(({ each, input, warning, error }) => {
      if (error !== undefined || warning.includes('Ignored')) return false
      return !isSame(input, each)
    })
    expect(silent.map(({ each }) => `${each.tool} ${JSON.stringify(each.sent)}`)).toEqual([])
    const good = outcomes.filter(({ each, input }) => isSame(input, each))
    expect(good.length / outcomes.length).toBeGreaterThanOrEqual(0.6)
  })
})

function isSame(input: unknown, each: Call): boolean {
  return each.meant !== undefined && isDeepStrictEqual(input, onTheWire(each))
}
