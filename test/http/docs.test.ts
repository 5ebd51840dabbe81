import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errors } from '../../src/kernel/error-table.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { errorsPage, operationPage, fieldsOf } from '../../src/surfaces/docs/docs.ts'
import { inputSchema } from '../../src/kernel/json-schema.ts'
import { toolsOf } from '../../src/kernel/tool.ts'
import { toy, toys } from './toys.ts'

const fieldsIn = (shape: z.ZodRawShape) =>
  fieldsOf(
    inputSchema(defineOperation({ ...toy('toy_list'), route: 'GET /v2/x', input: z.object(shape) }) as AnyOperation),
  )
const described = (schema: z.ZodType) => {
  const [field] = fieldsIn({ field: schema })
  return [field?.type, field?.isRequired ? 'required' : (field?.fallback ?? ''), field?.rules]
}

it.each<[string, z.ZodType, string[]]>([
  ['a text', z.string(), ['string', 'required', '']],
  ['an optional address', z.url().optional(), ['string (uri)', '', '']],
  ['an id, without its pattern', z.uuid(), ['string (uuid)', 'required', '']],
  ['a text with a pattern', z.string().regex(/^a|b$/), ['string', 'required', 'matches `^a|b$`']],
  ['a whole number, without the bounds of doubles', z.int(), ['integer', 'required', '']],
  ['a number with bounds', z.number().min(1).lt(9).default(2), ['number', '2', 'at least 1; less than 9']],
  ['a nullable number', z.int().min(0).max(5).nullable(), ['integer or null', 'required', '0 to 5']],
  ['a length', z.string().length(3), ['string', 'required', '3 characters']],
  ['one of several words', z.enum(['a', 'b', 'c']).default('a'), ['`"a"`, `"b"` or `"c"`', '"a"', '']],
  ['one of two kinds', z.union([z.string(), z.number()]), ['string or number', 'required', '']],
  [
    'a list',
    z.array(z.string().max(9)).max(3).default([]),
    ['array of string', '[]', 'at most 3 items; each at most 9 characters'],
  ],
  [
    'a list of two kinds',
    z.array(z.union([z.string(), z.number()])).min(1),
    ['array of (string or number)', 'required', 'at least 1 item'],
  ],
  ['a fixed list', z.tuple([z.string(), z.number()]), ['list of string, number', 'required', '2 items']],
  ['a map', z.record(z.string(), z.boolean()), ['map of boolean', 'required', '']],
  ['anything', z.unknown(), ['any', 'required', '']],
])('a field in the reference that is %s has its type, default and rules', (_, schema, [type, fallback, rules]) => {
  expect(described(schema)).toEqual([type, fallback, rules])
})

const tools = toolsOf(toys, [])

describe('the page of an operation in the reference', () => {
  const page = operationPage(toy('toy_echo'), tools)

  it.each([
    ['its routes', '- Route: `POST /v2/toy/:id/echo`\n- Also: `POST /v2/parrot/:id`'],
    ['its tool', '- MCP tool: `toy_echo`'],
    ['a field of the path', '| `id` | string | required | in the path | Whose echo. |'],
    [
      'a field with its rules, made safe for a table',
      '| `text` | string | required | 1 to 50 characters | What to say \\| or not. |',
    ],
    ['a field with a default', '| `times` | integer | `1` | 1 to 9 |  |'],
    ['an optional output field', '| `shape` | object | sometimes |  |'],
    ['an error', `| \`JOB_NOT_FOUND\` | 404 | ${errors.JOB_NOT_FOUND.message} | ${errors.JOB_NOT_FOUND.hint} |`],
    ['a command quoted for a shell', String.raw`-d '{"text":"it'\''s"}'`],
    ['a tool call', '"name": "toy_echo"'],
  ])('has %s', (_, text) => expect(page).toContain(text))
})

it('the errors page lists every code, lowest status first', () => {
  const codes = [...errorsPage(errors).matchAll(/^\| `([A-Z_]+)` \| (\d+)/gm)]
  expect(codes.map(([, code]) => code).toSorted()).toEqual(Object.keys(errors).toSorted())
  const statuses = codes.map(([, , status]) => Number(status))
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b))
})
