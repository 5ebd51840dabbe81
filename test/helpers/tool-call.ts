import type { AnyOperation } from '../../src/kernel/operation.ts'
import { callingOf, type Tool, type Variant } from '../../src/kernel/tool.ts'
import { tools, operations } from '../../src/operations/index.ts'
import { isRecord } from '../../src/util/json.ts'

/** True if a client without Apps can call the operation. */
export const hasTool = (operation: AnyOperation): boolean =>
  callingOf(tools, operation) !== undefined && !(operation.mcp && operation.mcp.visibility === 'app')

/** Returns the tool call that runs an operation with this input; an unknown name is used as the name of a tool. */
export function toolCall(name: string, input: unknown): { name: string; arguments: unknown } {
  const operation = operations.find((each) => each.name === name)
  const calling = operation && callingOf(tools, operation)
  if (!calling || !isRecord(input)) return { name: calling?.tool ?? name, arguments: input }
  const fields = Object.entries(input).map(([field, value]) => [calling.names[field] ?? field, value])
  return { name: calling.tool, arguments: { ...calling.fixed, ...Object.fromEntries(fields) } }
}

/** Returns the tools with the operations of this list that have the same names. */
export function toolsOn(list: readonly AnyOperation[]): Tool[] {
  const swapped = (variant: Variant): Variant => ({
    ...variant,
    operation: list.find(({ name }) => name === variant.operation.name) ?? variant.operation,
    ...(variant.orElse && { orElse: swapped(variant.orElse) }),
  })
  return tools.map((tool) => ({ ...tool, variants: tool.variants.map(swapped) }))
}

/** Returns the session id in an answer. */
export function sessionIdIn(answer: unknown): string {
  const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(JSON.stringify(answer)) ?? []
  if (id === undefined) throw new Error(`no session: ${JSON.stringify(answer)}`)
  return id
}
