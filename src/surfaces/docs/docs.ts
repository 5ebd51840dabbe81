import { errors as table } from '../../kernel/error-table.ts'
import { type AnyOperation, errorsOf } from '../../kernel/operation.ts'
import { slotsOf, toRequest } from '../../kernel/route.ts'
import { type Calling, callingOf, type Tool } from '../../kernel/tool.ts'
import { inputSchema, outputSchema, type JsonSchema } from '../../kernel/json-schema.ts'
import { httpErrorsOf } from './openapi.ts'

/** One field of a schema, nested ones included: `location.country`, `formats[].type`, `formats[type=json].schema`. */
type Field = {
  path: string
  type: string
  isRequired: boolean
  /** Default as JSON; absent without a default. */
  fallback?: string
  rules: string
  about: string
}

type Defs = Readonly<Record<string, JsonSchema>>
type Walk = {
  defs: Defs
  /** References followed on the way to this schema, to stop at a recursive one. */
  open: readonly string[]
}

export function fieldsOf(schema: JsonSchema): Field[] {
  return inside(schema, '', { defs: schema.$defs ?? {}, open: ['#'] })
}

function inside(schema: JsonSchema, prefix: string, walk: Walk): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [fieldOf(property, path, isRequired, walk.defs), ...below(property, path, walk)]
  })
}

function fieldOf(schema: JsonSchema, path: string, isRequired: boolean, defs: Defs): Field {
  const target = schema.$ref === undefined ? schema : { ...defs[defName(schema.$ref)], ...schema }
  return {
    path,
    type: typeText(schema, defs),
    isRequired: isRequired && target.default === undefined,
    ...(target.default !== undefined && { fallback: JSON.stringify(target.default) }),
    rules: rulesText(target),
    about: target.description ?? '',
  }
}

/** Fields of the objects that a field may contain. */
function below(schema: JsonSchema, path: string, walk: Walk): Field[] {
  if (schema.$ref !== undefined) {
    const target = walk.defs[defName(schema.$ref)]
    if (!target || walk.open.includes(schema.$ref)) return []
    return below(target, path, { ...walk, open: [...walk.open, schema.$ref] })
  }
  if (schema.items) return below(schema.items, `${path}[]`, walk)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return choices.flatMap((choice) => below(choice, path, walk))
  const label = variantOf(schema)
  if (label === undefined) return inside(schema, `${path}.`, walk)
  const { [label.name]: _, ...properties } = schema.properties ?? {}
  const variant = `${path.replace(/\[\]$/, '')}[${label.name}=${label.value}]`
  const fields = inside({ ...schema, properties }, `${variant}.`, walk)
  return fields.length > 0 ? fields : [fieldOf({ ...schema, type: 'object' }, variant, false, walk.defs)]
}

/** The constant that distinguishes one variant of a union. */
function variantOf(schema: JsonSchema): { name: string; value: string } | undefined {
  const [name, property] = Object.entries(schema.properties ?? {}).find(([, each]) => each.const !== undefined) ?? []
  return name === undefined ? undefined : { name, value: String(property?.const) }
}

function typeText(schema: JsonSchema, defs: Defs, depth = 0): string {
  const inner = (each: JsonSchema) => typeText(each, defs, depth + 1)
  if (schema.$ref !== undefined) return depth > 4 ? 'object' : inner(defs[defName(schema.$ref)] ?? { type: 'object' })
  const constants = schema.const === undefined ? schema.enum : [schema.const]
  if (constants) return either(constants.map((value) => `\`${JSON.stringify(value)}\``))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return either(choices.map(inner))
  if (schema.allOf) return schema.allOf.map(inner).join(' and ')
  return plainText(schema, inner)
}

function plainText(schema: JsonSchema, inner: (each: JsonSchema) => string): string {
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => inner({ ...schema, type })))
  if (schema.prefixItems) return `list of ${schema.prefixItems.map(inner).join(', ')}`
  if (schema.type === 'array') return `array of ${grouped(inner(schema.items ?? {}))}`
  if (schema.type === 'object' && isMap(schema)) return `map of ${inner(schema.additionalProperties || {})}`
  if (schema.type === 'string' && schema.format) return `string (${schema.format})`
  return schema.type ?? 'any'
}

function isMap(schema: JsonSchema): boolean {
  return schema.properties === undefined && typeof schema.additionalProperties === 'object'
}

function either(texts: readonly string[]): string {
  const all = [...new Set(texts)]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

function grouped(text: string): string {
  return text.includes(' or ') ? `(${text})` : text
}

function rulesText(schema: JsonSchema): string {
  const each = schema.items && rulesText(schema.items)
  const choices = (schema.anyOf ?? schema.oneOf ?? []).map(rulesText)
  const own = [
    range(visible(schema.minimum), visible(schema.maximum)),
    schema.exclusiveMinimum === undefined ? '' : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${schema.exclusiveMaximum}`,
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(undefined, schema.maxProperties, 'field'),
    schema.pattern === undefined || schema.format ? '' : `matches \`${schema.pattern}\``,
    each ? `each ${each}` : '',
  ]
  return [...new Set([...own, ...choices])].filter((text) => text !== '').join('; ')
}

/** Leaves out the bounds of safe integers, which zod adds to every integer. */
function visible(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound
}

function range(from: number | undefined, to: number | undefined, unit?: string): string {
  const units = (count: number) => (unit === undefined ? `${count}` : `${count} ${unit}${count === 1 ? '' : 's'}`)
  if (from !== undefined && to !== undefined) return from === to ? units(from) : `${from} to ${units(to)}`
  if (from !== undefined) return `at least ${units(from)}`
  return to === undefined ? '' : `at most ${units(to)}`
}

function defName(ref: string): string {
  return ref.replace('#/$defs/', '')
}

type ErrorTable = Readonly<Record<string, { status: number; message: string; hint: string }>>

const effects = {
  read: 'reads, changes nothing',
  create: 'creates',
  change: 'creates, changes or deletes',
  destroy: 'ends or deletes something',
} as const

/** File name of an operation's page, next to the index page and `errors.md`. */
export function pageName(operation: AnyOperation): string {
  return `${operation.name.replaceAll('_', '-')}.md`
}

/** Everything that a caller needs to know about one operation, as Markdown. */
export function operationPage(operation: AnyOperation, tools: readonly Tool[]): string {
  const calling = callingOf(tools, operation)
  return page([
    `# ${operation.title}`,
    operation.about,
    factsOf(operation, calling?.tool).join('\n'),
    '## Input',
    inputTable(operation),
    '## Output',
    outputTable(operation),
    '## Errors',
    errorTable(errorsOf(operation).map((name) => [name, table[name]])),
    `Over HTTP every call can also fail with ${httpErrorsOf(operation).map(code).join(', ')}; see [errors](errors.md).`,
    '## Example',
    fenced('bash', curl(operation)),
    ...(calling ? ['As an MCP tool call:', fenced('json', mcpCall(calling, operation.example))] : []),
  ])
}

/** All errors by status, as Markdown. */
export function errorsPage(errors: ErrorTable): string {
  const rows = Object.entries(errors).toSorted(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
  return page([
    '# Errors',
    'Over HTTP an error is a JSON body with `success: false`, `error` (what happened), `code`, `hint` (what to do next) and, where it helps, `details`. An MCP tool answers with `isError` and the same facts as text.',
    errorTable(rows),
  ])
}

/** A list of all operations with links to their pages, as Markdown. */
export function indexPage(operations: readonly AnyOperation[], tools: readonly Tool[]): string {
  const rows = operations.map((operation) => {
    const calling = callingOf(tools, operation)
    return [
      `[${operation.title}](${pageName(operation)})`,
      code(operation.route),
      calling ? code(calling.tool) : operation.mcp ? 'resource' : 'REST only',
      effects[operation.effect],
    ]
  })
  return page([
    '# Operations',
    grid(['Operation', 'Route', 'MCP tool', 'Effect'], rows),
    'See also [errors](errors.md).',
  ])
}

function factsOf(operation: AnyOperation, tool: string | undefined): string[] {
  const resource = operation.mcp ? operation.mcp.resource : undefined
  return [
    `- Route: ${code(operation.route)}`,
    ...(operation.aliases ?? []).map((alias) => `- Also: ${code(alias)}`),
    ...(operation.mcp === false && tool === undefined ? ['- REST only'] : []),
    ...(tool === undefined ? [] : [`- MCP tool: ${code(tool)}`]),
    ...(resource ? [`- MCP resource: ${code(resource.template)}`] : []),
    `- Effect: ${effects[operation.effect]}`,
  ]
}

function inputTable(operation: AnyOperation): string {
  const slots = slotsOf(operation.route)
  const rows = fieldsOf(inputSchema(operation)).map((field) => [
    code(field.path),
    field.type,
    field.isRequired ? 'required' : field.fallback === undefined ? '' : code(field.fallback),
    [slots.includes(field.path) ? 'in the path' : '', field.rules].filter(Boolean).join('; '),
    field.about,
  ])
  return grid(['Field', 'Type', 'Default', 'Rules', 'Description'], rows)
}

function outputTable(operation: AnyOperation): string {
  const rows = fieldsOf(outputSchema(operation)).map((field) => [
    code(field.path),
    field.type,
    presence(field),
    field.about,
  ])
  return grid(['Field', 'Type', 'Present', 'Description'], rows)
}

function presence(field: Field): string {
  return field.isRequired ? 'always' : 'sometimes'
}

function errorTable(rows: readonly (readonly [string, ErrorTable[string]])[]): string {
  return grid(
    ['Code', 'Status', 'What happened', 'What to do'],
    rows.map(([name, error]) => [code(name), String(error.status), error.message, error.hint]),
  )
}

function curl(operation: AnyOperation): string {
  const { method, path, body } = toRequest(operation, operation.example)
  return [
    `curl -X ${method} "$GOSSAMER_URL${path}"`,
    `-H "Authorization: Bearer $GOSSAMER_API_KEY"`,
    ...(body
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]
      : []),
  ].join(' \\\n  ')
}

function mcpCall({ tool, fixed, names }: Calling, example: object): string {
  const fields = Object.entries(example).map(([field, value]) => [names[field] ?? field, value])
  return JSON.stringify({ name: tool, arguments: { ...fixed, ...Object.fromEntries(fields) } }, null, 2)
}

function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'None.'
  return [head, head.map(() => '---'), ...rows.map((cells) => cells.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', String.raw`\|`)
}

function code(text: string): string {
  return `\`${text}\``
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n').replace(/[ \t]+$/gm, '')}\n`
}
