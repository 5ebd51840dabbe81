import { inputSchema, type JsonSchema } from '../../kernel/json-schema.ts'
import { type AnyOperation, isTool, type Method } from '../../kernel/operation.ts'
import { partsOf } from '../../kernel/route.ts'

/** What the playground needs to know of an operation. */
export type CataloguedOperation = {
  name: string
  title: string
  about: string
  effect: AnyOperation['effect']
  method: Method
  template: string
  isTool: boolean
  example: object
  schema: JsonSchema
}

export const catalogueOf = (operations: readonly AnyOperation[]): CataloguedOperation[] =>
  operations.map((operation) => ({
    name: operation.name,
    title: operation.title,
    about: operation.about,
    effect: operation.effect,
    ...partsOf(operation.route),
    isTool: isTool(operation),
    example: operation.example,
    schema: inputSchema(operation),
  }))
