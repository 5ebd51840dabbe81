import type { Ctx } from './ctx.ts'
import type { AnyOperation } from './operation.ts'

/** Runs an operation, in this process or at a remote service. Surfaces make all calls through it. */
export type Invoke = (operation: AnyOperation, input: object, ctx: Ctx) => Promise<object>

export type Handler = (input: object, ctx: Ctx) => Promise<object>

/**
 * Wraps the handler of an operation, or returns it unchanged if the operation does not need it. `invoke` runs other
 * operations, through all middleware.
 */
export type Middleware = (operation: AnyOperation, next: Handler, invoke: Invoke) => Handler
