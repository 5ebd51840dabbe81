import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { droppedKeys } from '../../src/kernel/issues.ts'
import { inputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import { readArguments, readInput } from '../../src/kernel/lenient/read-leniently.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { callsFor, type Tool } from '../../src/kernel/tool.ts'
import { operations, tools } from '../../src/operations/index.ts'
import { ownArguments } from '../../src/surfaces/mcp/tools.ts'
import { wrongs, type Wrong } from './wrong.ts'

type Sent = Record<string, unknown>

/** Returns the input as the operation receives it. */
function fate(operation: AnyOperation, sent: Sent): 'refused' | 'told' | 'taken' {
  const { input, warning } = readInput(operation, sent)
  const parsed = operation.input.safeParse(input)
  if (!parsed.success) return 'refused'
  return warning !== undefined || droppedKeys(input, parsed.data).length > 0 ? 'told' : 'taken'
}

/** The same of the arguments of a tool, which may stand for several calls: each is to refuse them. */
function fateOfArguments(tool: Tool, sent: Sent): 'refused' | 'told' | 'taken' {
  const { input, warning } = readArguments(tool, ownArguments(tool), sent)
  let calls
  try {
    calls = callsFor(tool, input as Sent)
  } catch {
    return 'refused'
  }
  const fates = calls.map((call) => fate(call.operation, call.input as Sent))
  if (fates.every((each) => each === 'refused')) return 'refused'
  return warning !== undefined || !fates.includes('taken') ? 'told' : 'taken'
}

const show = ({ path, wrong }: Wrong) => {
  return `${path.join('.')} = ${JSON.stringify(valueAt(path, wrong)).slice(0, 80)}`
}

/** Skipped: rules between fields, which have tests of their own. */
const needsOthers: Readonly<Record<string, RegExp>> = {
  agent: /^strictConstrainToURLs$/,
  crawl: /^preview$/,
  interact: /^prompt$/,
  monitor: /^checkId$|^schedule\.timezone$|\.lockdown$/,
  monitor_create: /^schedule\.timezone$|\.lockdown$/,
  monitor_update: /^schedule\.timezone$|\.lockdown$/,
  scrape_result: /^url$/,
  // Files have no screenshot and no history.
  parse: /^(?:base64|filename)$|^formats\.0\.(?:fullPage|quality|viewport|modes|tag)/,
}

/** Paths at which no right value was taken, so that wrong ones prove nothing. */
function unproved(name: string, cases: readonly Wrong[], isTaken: (sent: Sent) => boolean) {
  const taken = new Set(cases.filter(({ right }) => isTaken(right as Sent)).map(({ path }) => path.join('.')))
  return [...new Set(cases.map(({ path }) => path.join('.')))].filter(
    (path) => !taken.has(path) && !needsOthers[name]?.test(path),
  )
}

const isBlank = ({ path, wrong }: Wrong) => {
  const value = valueAt(path, wrong)
  return typeof value === 'string' && value.trim() === ''
}
const valueAt = (path: Wrong['path'], whole: unknown) =>
  path.reduce<unknown>((inside, key) => (inside as Sent)[key], whole)

describe.each(operations.map((operation) => ({ name: operation.name, operation })))('$name', ({ name, operation }) => {
  const cases = wrongs(inputSchema(operation), operation.example)

  test('refuses surely invalid values at any depth', () => {
    const passed = cases.filter((each) => {
      const end = fate(operation, each.wrong as Sent)
      // A blank means absent if a field is optional, with a warning.
      return end === 'taken' || (end === 'told' && !isBlank(each))
    })
    expect(passed.map(show)).toEqual([])
  })

  test('accepts a valid value at the same place', () => {
    expect(unproved(name, cases, (sent) => fate(operation, sent) !== 'refused')).toEqual([])
  })
})

const schemaOf = (tool: Tool): JsonSchema =>
  z.toJSONSchema(tool.arguments, { io: 'input', unrepresentable: 'any' }) as JsonSchema

describe.each(tools.map((tool) => ({ name: tool.name, tool })))('arguments of $name', ({ name, tool }) => {
  const cases = wrongs(schemaOf(tool), tool.example)

  test('refuses surely invalid arguments', () => {
    expect(cases.filter(({ wrong }) => fateOfArguments(tool, wrong as Sent) === 'taken').map(show)).toEqual([])
  })

  test('accepts a valid value at the same place', () => {
    expect(unproved(name, cases, (sent) => fateOfArguments(tool, sent) !== 'refused')).toEqual([])
  })
})

const monitor = tools.find(({ name }) => name === 'monitor')!
const inputOf = (args: Sent) => callsFor(monitor, args)[0]?.input

test('an invalid time zone is refused in every form of a schedule', () => {
  const timezone = 'Europe/Vienna'
  const begin = { action: 'create', urls: ['https://example.com/'], timezone }
  expect(inputOf({ ...begin, schedule: 'daily at 9:00' })).toMatchObject({
    schedule: { text: 'daily at 9:00', timezone },
  })
  expect(inputOf({ ...begin, schedule: { text: 'daily at 9:00' } })).toMatchObject({ schedule: { timezone } })
  const own = { cron: '0 9 * * *', timezone: 'Asia/Tokyo' }
  expect(inputOf({ ...begin, schedule: own })).toMatchObject({ schedule: own })
})

test('arguments of a monitor that do not apply are reported', () => {
  const unused = { timezone: 'Europe/Vienna', extract: { prompt: 'prices' }, scrapeOptions: { mobile: true } }
  expect(inputOf({ action: 'list', ...unused })).toEqual({ limit: 100, ...unused })
  expect(fateOfArguments(monitor, { action: 'list', ...unused })).toBe('told')
})
