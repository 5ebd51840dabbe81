import type { Ctx } from './ctx.ts'
import type { AnyOperation } from './operation.ts'

/** Runs an operation: here (`runLocally`) or on another machine (`remoteCaller`). Surfaces know nothing else. */
export type Caller = (operation: AnyOperation, input: object, ctx: Ctx) => Promise<object>

/** Something that holds for every operation: validated, limited, billed… */
export type Policy = (next: Caller) => Caller

export const runLocally: Caller = (operation, input, ctx) => operation.run(input, ctx)

/** The first policy is the outermost. */
export function under(policies: readonly Policy[], caller: Caller): Caller {
  return policies.reduceRight((next, policy) => policy(next), caller)
}
