import { errors as table } from '../../kernel/error-table.ts'
import { type AnyOperation, errorsOf } from '../../kernel/operation.ts'
import { slotsOf, toRequest } from '../../kernel/route.ts'
import { type Calling, callingOf, type Tool } from '../../kernel/tool.ts'
import { type Field, fieldsOf } from './fields.ts'
import { inputSchema, outputSchema } from '../../kernel/json-schema.ts'
import { httpErrorsOf } from './openapi.ts'

type ErrorTable = Readonly<Record<string, { status: number; message: string; hint: string }>>

const effects = {
  read: 'reads, changes nothing',
  create: 'starts or makes something',
  change: 'makes, changes or deletes something',
  destroy: 'ends or deletes something',
} as const

/** File name of an operation's page, beside the index page and `errors.md`. */
export function pageName(operation: AnyOperation): string {
  return `${operation.name.replaceAll('_', '-')}.md`
}

/** Everything a caller must know of one operation, as Markdown. */
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
    '<!-- asked as: error codes; all errors; what does this code mean; status code; HTTP status; error message; exception; explanation of a code -->',
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
