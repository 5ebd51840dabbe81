import { inputSchema, type JsonSchema } from '../../kernel/json-schema.ts'
import type { AnyOperation, Method } from '../../kernel/operation.ts'
import { partsOf } from '../../kernel/route.ts'
import { type Calling, callingOf, type Tool } from '../../kernel/tool.ts'

/** What the playground needs to know of an operation. */
export type CataloguedOperation = {
  name: string
  title: string
  about: string
  effect: AnyOperation['effect']
  method: Method
  template: string
  /** Absent where agents are not offered it. */
  calling?: Calling | undefined
  example: object
  schema: JsonSchema
}

export const catalogueOf = (operations: readonly AnyOperation[], tools: readonly Tool[]): CataloguedOperation[] =>
  operations.map((operation) => ({
    name: operation.name,
    title: operation.title,
    about: operation.about,
    effect: operation.effect,
    ...partsOf(operation.route),
    calling: callingOf(tools, operation),
    example: operation.example,
    schema: inputSchema(operation),
  }))
