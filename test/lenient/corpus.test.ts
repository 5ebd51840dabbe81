import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { callingOf, callsFor } from '../../src/kernel/tool.ts'
import { tools as offered } from '../../src/operations/index.ts'
import { toolCall } from '../helpers/tool-call.ts'
import { type Call, calls, isOperation, openTools, operationOf, overRest } from './corpus.ts'

const tools = openTools()
afterAll(() => tools.close())

const asRest = ({ tool, meant = {} }: Call): object => operationOf(tool).input.parse(meant)

/** The input that the tool sends. A tool may have other defaults than REST, and may call another operation. */
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

test('the corpus has many calls of every tool, most of which must succeed', () => {
  const ofTools = Map.groupBy(calls, ({ tool }) => tool)
  expect([...ofTools].filter(([, all]) => all.length < 5)).toEqual([])
  expect(calls.length).toBeGreaterThanOrEqual(200)
  expect(served.length / calls.length).toBeGreaterThanOrEqual(0.7)
})

test.each(served)('%s is read with the intended meaning', async (_name, each) => {
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

test('over REST no call is silently misread, and most calls succeed', async () => {
  // Tools for several operations have no REST route, and REST accepts the actions that tools refer elsewhere.
  const ofOperations = calls.filter(({ tool, instead }) => isOperation(tool) && instead === undefined)
  const outcomes = await Promise.all(ofOperations.map(async (each) => ({ each, ...(await overRest(each)) })))
  const isRight = ({ each, input }: (typeof outcomes)[number]) =>
    each.meant !== undefined && isDeepStrictEqual(input, asRest(each))
  const silent = outcomes.filter(({ warning, error }) => error === undefined && !warning.includes('Ignored'))
  expect(silent.filter((outcome) => !isRight(outcome)).map(({ each }) => each)).toEqual([])
  expect(outcomes.filter(isRight).length / outcomes.length).toBeGreaterThanOrEqual(0.6)
})
