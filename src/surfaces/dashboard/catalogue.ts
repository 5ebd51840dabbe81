import { inputSchema, type JsonSchema } from '../../kernel/json-schema.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Tool } from '../../kernel/tool.ts'
import { callableOf } from '../call-as/callable.ts'
import type { CallableOperation } from '../call-as/request.ts'

/** What the playground needs to know of an operation. */
export type CataloguedOperation = CallableOperation & {
  title: string
  about: string
  effect: AnyOperation['effect']
  example: object
  schema: JsonSchema
}

export const catalogueOf = (operations: readonly AnyOperation[], tools: readonly Tool[]): CataloguedOperation[] =>
  operations.map((operation) => ({
    ...callableOf(operation, tools),
    title: operation.title,
    about: operation.about,
    effect: operation.effect,
    example: operation.example,
    schema: inputSchema(operation),
  }))
