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

type Fate = 'refused' | 'accepted with a warning' | 'accepted'

/** Returns if the operation accepts the input. */
function fate(operation: AnyOperation, sent: Sent): Fate {
  const { input, warning } = readInput(operation, sent)
  const parsed = operation.input.safeParse(input)
  if (!parsed.success) return 'refused'
  const isWarned = warning !== undefined || droppedKeys(input, parsed.data).length > 0
  return isWarned ? 'accepted with a warning' : 'accepted'
}

/** Returns if a tool accepts the arguments. They are refused if each of its calls refuses them. */
function fateOfArguments(tool: Tool, sent: Sent): Fate {
  const { input, warning } = readArguments(tool, ownArguments(tool), sent)
  let calls
  try {
    calls = callsFor(tool, input as Sent)
  } catch {
    return 'refused'
  }
  const fates = calls.map((call) => fate(call.operation, call.input as Sent))
  if (fates.every((each) => each === 'refused')) return 'refused'
  return warning !== undefined || !fates.includes('accepted') ? 'accepted with a warning' : 'accepted'
}

const show = ({ path, wrong }: Wrong) => `${path.join('.')} = ${JSON.stringify(valueAt(path, wrong)).slice(0, 80)}`

/** Fields that are valid only together with others. They are skipped, because other tests cover them. */
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

/** Returns paths at which no right value is accepted, so that the refusal of a wrong one proves nothing. */
function unproved(name: string, cases: readonly Wrong[], isAccepted: (sent: Sent) => boolean) {
  const accepted = new Set(cases.filter(({ right }) => isAccepted(right as Sent)).map(({ path }) => path.join('.')))
  return [...new Set(cases.map(({ path }) => path.join('.')))].filter(
    (path) => !accepted.has(path) && !needsOthers[name]?.test(path),
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
      const outcome = fate(operation, each.wrong as Sent)
      // An empty text means that an optional field is absent, which a warning reports.
      return outcome === 'accepted' || (outcome === 'accepted with a warning' && !isBlank(each))
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
    expect(cases.filter(({ wrong }) => fateOfArguments(tool, wrong as Sent) === 'accepted').map(show)).toEqual([])
  })

  test('accepts a valid value at the same place', () => {
    expect(unproved(name, cases, (sent) => fateOfArguments(tool, sent) !== 'refused')).toEqual([])
  })
})

const monitor = tools.find(({ name }) => name === 'monitor')!
const inputOf = (args: Sent) => callsFor(monitor, args)[0]?.input

test('the time zone of a monitor completes a schedule, but does not replace that of the schedule', () => {
  const timezone = 'Europe/Vienna'
  const begin = { action: 'create', urls: ['https://example.com/'], timezone }
  expect(inputOf({ ...begin, schedule: 'daily at 9:00' })).toMatchObject({
    schedule: { text: 'daily at 9:00', timezone },
  })
  expect(inputOf({ ...begin, schedule: { text: 'daily at 9:00' } })).toMatchObject({ schedule: { timezone } })
  const own = { cron: '0 9 * * *', timezone: 'Asia/Tokyo' }
  expect(inputOf({ ...begin, schedule: own })).toMatchObject({ schedule: own })
})

test('a warning names arguments of a monitor that do not apply to the action', () => {
  const unused = { timezone: 'Europe/Vienna', extract: { prompt: 'prices' }, scrapeOptions: { mobile: true } }
  expect(inputOf({ action: 'list', ...unused })).toEqual({ limit: 100, ...unused })
  expect(fateOfArguments(monitor, { action: 'list', ...unused })).toBe('accepted with a warning')
})
