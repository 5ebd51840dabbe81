import type { Ctx } from './ctx.ts'
import type { AnyOperation } from './operation.ts'

/** Runs an operation, in this process or at a remote service. Surfaces know nothing else. */
export type Invoke = (operation: AnyOperation, input: object, ctx: Ctx) => Promise<object>

/** Runs one operation. */
export type Handler = (input: object, ctx: Ctx) => Promise<object>

/**
 * Wraps the handler of an operation, or returns it unchanged if the operation does not need it. `invoke` runs other
 * operations, through all middleware.
 */
export type Middleware = (operation: AnyOperation, next: Handler, invoke: Invoke) => Handler

/**
 * The first middleware is the outermost. The chain of an operation is built at its first call. Operations run in this
 * process unless `handlerOf` returns another handler.
 */
export function compose(
  middleware: readonly Middleware[],
  handlerOf: (operation: AnyOperation) => Handler = ({ run }) => run,
): Invoke {
  const handlers = new WeakMap<AnyOperation, Handler>()
  const invoke: Invoke = async (operation, input, ctx) => {
    const handler = handlers.get(operation) ?? wrapped(operation)
    handlers.set(operation, handler)
    return handler(input, ctx)
  }
  const wrapped = (operation: AnyOperation) =>
    middleware.reduceRight((next, wrap) => wrap(operation, next, invoke), handlerOf(operation))
  return invoke
}
