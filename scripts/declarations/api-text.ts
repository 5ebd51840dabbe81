import { z } from 'zod'
import { errors } from '../../src/kernel/error-table.ts'
import { settings } from '../../src/app/config.ts'
import type { JsonSchema } from '../../src/kernel/json-schema.ts'
import { type AnyOperation, errorsOf } from '../../src/kernel/operation.ts'
import { returnsPages, functionName } from '../../src/kernel/offer.ts'
import { namedSchemas } from './named-schemas.ts'
import { comment, fields, typeText } from './type-text.ts'

/**
 * Declarations of `src/library/api.ts` for the package: types of all operations and settings, derived from their
 * schemas and free of zod.
 */
export async function apiText(operations: readonly AnyOperation[]): Promise<string> {
  const schemaOf = await namedSchemas()
  const contracts = operations.map((operation) => ({
    operation,
    name: pascal(operation.name),
    input: schemaOf(operation.input, 'input'),
    output: schemaOf(operation.output, 'output'),
  }))
  const outputs = definitionsOf(contracts.map(({ output }) => output))
  const inputs = definitionsOf(contracts.map(({ input }) => input))
  // Defaults can make the input type differ from the output type; then both need a name.
  const inputName = (name: string) => (outputs.has(name) && !name.endsWith('Input') ? `${name}Input` : name)
  const written = new Map([
    ...declarations(inputs, inputName),
    ...declarations(outputs, outputName),
    ...contracts.flatMap(({ name, input, output }) => [
      ...declarations(new Map([[`${name}Input`, input]]), inputName, `${name}Input`),
      ...declarations(new Map([[`${name}Output`, output]]), outputName, `${name}Output`),
    ]),
  ])
  return [
    '// Generated from the schemas of the operations and settings.',
    "import type { CallOptions, EachOptions, PageHandler, PagesOptions } from './options.js'\n",
    `export type Settings = {\n${settingFields()}}\n`,
    `export type ErrorCode =\n${errorCodes.map((code) => `  | '${code}'\n`).join('')}`,
    ...[...written].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    `export type JobEnd = { id: string } & Omit<CrawlStatusOutput, 'data' | 'next'>\n`,
    `export type Operations = {\n${contracts.map(({ operation, name }) => functionsText(operation, name)).join('')}}\n`,
  ].join('\n')
}

const outputName = (name: string) => name
const errorCodes = Object.keys(errors).toSorted()

function definitionsOf(schemas: readonly JsonSchema[]): Map<string, JsonSchema> {
  return new Map(schemas.flatMap(({ $defs = {} }) => Object.entries($defs)))
}

/** An alias of a named schema needs no declaration of its own. */
function declarations(
  schemas: ReadonlyMap<string, JsonSchema>,
  nameOf: (name: string) => string,
  fixed?: string,
): [string, string][] {
  return [...schemas].flatMap(([definition, schema]): [string, string][] => {
    const name = fixed ?? nameOf(definition)
    const type = typeText(schema, nameOf)
    return type === name ? [] : [[name, `${comment(schema.description, '')}export type ${name} = ${type}\n`]]
  })
}

/** Settings are text in the environment; here they have the types of the parsed values. */
function settingFields(): string {
  const properties = Object.entries(settings).map(([key, schema]) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema
    return [key, { ...json, description: schema.description ?? '' }] as const
  })
  return fields({ properties: Object.fromEntries(properties) }, (name) => name, '  ')
}

function functionsText(operation: AnyOperation, name: string): string {
  const { about, input } = operation
  const own = functionName(operation.name)
  const argument = `input${input.safeParse({}).success ? '?' : ''}: ${name}Input`
  const say = `${about} Rejects with ${['BAD_REQUEST', 'FEATURE_UNAVAILABLE', ...errorsOf(operation)].join(', ')}.`
  const call = `${comment(say, '  ')}  ${own}(${argument}, options?: CallOptions): Promise<${name}Output>\n`
  if (!returnsPages(operation)) return call
  const reading = 'The job is cancelled unless all pages are read; the return value is its final state.'
  const each = 'It handles `concurrency` pages at a time. An error of the handler cancels the job.'
  return [
    call,
    comment(`Starts the job of \`${own}\` and yields its pages as they arrive. ${reading}`, '  '),
    `  ${own}Pages(${argument}, options?: PagesOptions): AsyncGenerator<Document, JobEnd, undefined>\n`,
    comment(`Starts the job of \`${own}\` and passes each page to a function. ${each}`, '  '),
    `  ${own}Each(${argument}, handle: PageHandler<Document>, options?: EachOptions): Promise<JobEnd>\n`,
  ].join('')
}

const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
