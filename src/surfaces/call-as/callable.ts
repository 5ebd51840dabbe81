import { bringsPages } from '../../kernel/offer/function-name.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { partsOf } from '../../kernel/route.ts'
import { callingOf, type Tool } from '../../kernel/tool.ts'
import type { CallableOperation } from './request.ts'

/** What is to be known of an operation to write down a call of it. */
export const callableOf = (operation: AnyOperation, tools: readonly Tool[]): CallableOperation => ({
  name: operation.name,
  ...partsOf(operation.route),
  calling: callingOf(tools, operation),
  bringsPages: bringsPages(operation),
})
