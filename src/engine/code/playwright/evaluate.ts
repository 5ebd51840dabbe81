import type { Protocol } from 'devtools-protocol'
import type { Session } from '../../browser/cdp/session.ts'
import {
  type ArgsOf,
  callFunction,
  injectFunctions,
  type InjectedFunctions,
  type PageFunction,
  type ResultOf,
} from '../../browser/world/page-script.ts'

/** A value that lives in a page. */
export type Remote = { readonly objectId: string }
/** Functions whose last argument is the root element. */
type CodeFunction = Extract<PageFunction, 'readElements' | 'changeElement' | 'checkActionable' | 'outlinePage'>
/** Their arguments without the root element. */
type GivenTo<N extends CodeFunction> = ArgsOf<N> extends [...infer A, root?: Element] ? A : ArgsOf<N>

/** Calls a function of the page script, below a root element if one is given, and returns its value. */
export async function inPage<N extends CodeFunction>(
  session: Session,
  name: N,
  given: GivenTo<N>,
  root?: Remote,
): Promise<ResultOf<N>> {
  return valueOf(await callInPage(session, name, given, root, 'value')) as ResultOf<N>
}

/** The same, but returns a handle to the result. */
export async function heldInPage<N extends CodeFunction>(
  session: Session,
  name: N,
  given: GivenTo<N>,
  root?: Remote,
): Promise<Remote | undefined> {
  const { objectId } = resultOf(await callInPage(session, name, given, root, 'object'))
  return objectId === undefined ? undefined : { objectId }
}

/** The injected functions of the current document. They run in the page's main world, as evaluated code does. */
const injected = new WeakMap<Session, InjectedFunctions>()

async function callInPage(
  session: Session,
  name: CodeFunction,
  given: readonly unknown[],
  root: Remote | undefined,
  as: 'value' | 'object',
): Promise<Protocol.Runtime.EvaluateResponse> {
  const call = (functions: InjectedFunctions) =>
    callFunction(session, functions, name, given, { as, userGesture: true, ...(root && { root }) })
  const known = injected.get(session)
  const answer = known && (await call(known).catch(undefinedIfOther))
  if (answer) return answer
  const functions = await injectFunctions(session)
  injected.set(session, functions)
  return call(functions)
}

/** Undefined if the page has another document now, in which nothing was called yet. */
function undefinedIfOther(error: unknown): undefined {
  if (!isOtherDocument(error)) throw error
}

const isOtherDocument = (error: unknown) =>
  error instanceof Error && /cannot find context|could not find object|same JavaScript world/i.test(error.message)

/** Evaluates a function, its source text, or an expression. Handles among the arguments are passed by reference. */
export async function evaluateGiven(
  session: Session,
  source: string | ((...given: never[]) => unknown),
  given: readonly unknown[],
  as: 'value' | 'handle',
): Promise<Protocol.Runtime.EvaluateResponse> {
  const text = String(source).trim().replace(/;+$/, '')
  const options = { returnByValue: as === 'value', awaitPromise: true, userGesture: true }
  const { objectId = '' } = resultOf(await session.send('Runtime.evaluate', { expression: 'globalThis' }))
  const call = `function (...given) { const asked = (${text}\n); return typeof asked === 'function' ? asked(...given) : asked }`
  const answer = await session
    .send('Runtime.callFunctionOn', {
      functionDeclaration: call,
      objectId,
      arguments: given.map(argumentOf),
      ...options,
    })
    .catch((thrown: unknown) => ({ thrown }))
  if (!('thrown' in answer) && !isSyntaxError(answer)) return answer
  if ('thrown' in answer && !/SyntaxError|not evaluate to a function|not found/i.test(String(answer.thrown)))
    throw answer.thrown
  // Statements cannot be wrapped as an expression.
  return session.send('Runtime.evaluate', { expression: String(source), ...options })
}

const isSyntaxError = ({ exceptionDetails }: Protocol.Runtime.EvaluateResponse) =>
  exceptionDetails?.exception?.className === 'SyntaxError' && exceptionDetails.lineNumber <= 1

type Argument = { value?: unknown; unserializableValue?: string; objectId?: string }
function argumentOf(value: unknown): Argument {
  if (typeof value === 'bigint') return { unserializableValue: `${value}n` }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { unserializableValue: Object.is(value, -0) ? '-0' : String(value) }
  const remote = remoteOf(value)
  return remote ? { objectId: remote.objectId } : { value }
}

/** Handles carry their remote object under this key. */
export const held = Symbol('held')
function remoteOf(value: unknown): Remote | undefined {
  return typeof value === 'object' && value !== null ? (value as { [held]?: Remote })[held] : undefined
}

export function resultOf({
  result,
  exceptionDetails,
}: Protocol.Runtime.EvaluateResponse): Protocol.Runtime.RemoteObject {
  if (!exceptionDetails) return result
  const { exception, text } = exceptionDetails
  throw new Error(exception?.description ?? (exception?.value === undefined ? text : String(exception.value)))
}

export function valueOf(evaluated: Protocol.Runtime.EvaluateResponse): unknown {
  const { value, unserializableValue } = resultOf(evaluated)
  if (unserializableValue === undefined) return value
  return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue)
}
