import { z } from 'zod'
import type { AnyOperation } from './operation.ts'

/** The subset of JSON Schema 2020-12 that zod writes and this program reads. */
export type JsonSchema = {
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  maxProperties?: number
  required?: string[]
  additionalProperties?: JsonSchema | false
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  [key: string]: unknown
}

/** Schema of the caller's input: fields with a default are optional. */
export function inputSchema(operation: AnyOperation): JsonSchema {
  return convert(operation.input, 'input')
}

export function outputSchema(operation: AnyOperation): JsonSchema {
  return convert(operation.output, 'output')
}

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}
