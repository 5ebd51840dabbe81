import { createContext, Script } from 'node:vm'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { fail } from '../../../kernel/error.ts'
import { type Draft, modernised, type Schema } from './schema-forms.ts'

/**
 * A violated rule. `place` is a location in the value, and may contain page text; `rule` is a location in the schema.
 */
export type Breach = { place: string; rule: string; message: string; isOfNull: boolean }
/** Returns the violations of a value; empty if it is valid. */
export type Validate = (value: unknown) => Breach[]

/** Patterns may be written for either of the two regular expression modes. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    try {
      return new RegExp(pattern, flags)
    } catch {
      return new RegExp(pattern)
    }
  },
  { code: 'new RegExp' },
)
const options: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  logger: false,
  addUsedSchema: false,
  code: { regExp },
}
const classes = { 2020: Ajv2020, 2019: Ajv2019, 7: Ajv } as const

/**
 * Creates a validator for a schema of any draft. A schema that is invalid in its own draft is tried as draft 7; fails
 * with BAD_REQUEST if that fails too. Callers write the schemas, so compiling and validating have a time limit.
 */
export function createValidator(schema: Schema): Validate {
  const drafts: readonly Draft[] = [draftOf(schema) ?? '2020', '7']
  const validate = compiled(modernised(schema), drafts)
  return (value) => {
    const isValid = timeBoxed(() => validate(value))
    if (isValid === undefined) return [{ place: '', rule: '#', message: 'takes too long to check', isOfNull: false }]
    return isValid ? [] : (validate.errors ?? []).map(breachOf)
  }
}

/** Returns the draft of a schema. Drafts 4 and 6 use the rules of draft 7 after `modernised`. */
function draftOf({ $schema: draft }: Schema): Draft | undefined {
  if (typeof draft !== 'string') return undefined
  if (draft.includes('2020-12')) return '2020'
  if (draft.includes('2019-09')) return '2019'
  return /draft-0[3-7]|json-schema\.org\/schema/.test(draft) ? '7' : undefined
}

function compiled(schema: Schema, [draft = '2020', ...others]: readonly Draft[]): ValidateFunction {
  const ajv = new classes[draft](options)
  // The types describe a CommonJS module, whose default export is the module.
  formats.default(ajv)
  // The rules of the draft itself are compiled first, so the time limit is for the schema alone.
  ajv.compile({})
  let validate: ValidateFunction | undefined
  try {
    validate = timeBoxed(() => ajv.compile(schema))
  } catch (cause) {
    if (others.length > 0) return compiled(schema, others)
    return badSchema(cause instanceof Error ? cause.message.slice(0, 300) : 'it cannot be read')
  }
  return validate ?? badSchema('it is too complex')
}

const badSchema = (why: string): never =>
  fail('BAD_REQUEST', { message: `The JSON Schema cannot be used: ${why}.`.replace(/\.\.$/, '.') })

const breachOf = ({ instancePath, schemaPath, message = 'is wrong', data }: ErrorObject): Breach => ({
  place: instancePath,
  rule: schemaPath,
  message,
  isOfNull: data === null,
})

const limitMs = 1000
const script = new Script('work()')
const globals: { work?: () => unknown } = {}
const context = createContext(globals)

/** Returns the result of the work; undefined if it exceeds the time limit. */
function timeBoxed<T>(work: () => T): T | undefined {
  try {
    globals.work = work
    return script.runInContext(context, { timeout: limitMs }) as T
  } catch (cause) {
    if ((cause as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw cause
  }
}
