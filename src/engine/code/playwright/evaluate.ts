import type { Session } from '../../browser/cdp/session.ts'
import type { Evaluated, RemoteObject } from '../../browser/cdp/shapes.ts'
import { aimers, placeOf, tagOf } from '../../page-script/code/aim.ts'
import { findAll, finders } from '../../page-script/code/find.ts'
import { namers, shared } from '../../page-script/code/names.ts'
import type { Find } from '../../page-script/code/tasks.ts'

/** A value that lives in a page. */
export type Remote = { readonly objectId: string }
type Task<A extends unknown[], R> = (find: Find, ...given: A) => R

/** A bundler may give functions other names, so they are called by what they are called there. */
const membersOf = (functions: object) =>
  Object.entries(functions)
    .map(([name, each]) => `${name}: ${(each as { name: string }).name}`)
    .join(', ')
const library = `${[...namers, ...finders, ...aimers].map(String).join('\n')}
const names = { ${membersOf(shared)} }
const find = { ...names, all: (steps, root) => ${findAll.name}(steps, root ?? document), ${membersOf({ placeOf, tagOf })} }`

/** Runs a task of `in-page/` in the page, below an element if one is given, and brings back its value. */
export async function inPage<A extends unknown[], R>(
  session: Session,
  task: Task<A, R>,
  given: A,
  root?: Remote,
): Promise<Awaited<R>> {
  return valueOf(await runTask(session, task, given, root, true)) as Awaited<R>
}

/** The same, with the result left in the page. */
export async function heldInPage<A extends unknown[]>(
  session: Session,
  task: Task<A, unknown>,
  given: A,
  root?: Remote,
): Promise<Remote | undefined> {
  const { objectId } = resultOf(await runTask(session, task, given, root, false))
  return objectId === undefined ? undefined : { objectId }
}

function runTask(
  session: Session,
  task: unknown,
  given: readonly unknown[],
  root: Remote | undefined,
  byValue: boolean,
) {
  const body = `${library}\nreturn (${String(task)})(find, ...${JSON.stringify(given)}`
  const options = { returnByValue: byValue, awaitPromise: true, userGesture: true }
  return root
    ? session.send('Runtime.callFunctionOn', {
        functionDeclaration: `function () { ${body}, this) }`,
        ...root,
        ...options,
      })
    : session.send('Runtime.evaluate', { expression: `(() => { ${body}) })()`, ...options })
}

/** Evaluates what a caller wrote: a function, its source text, or an expression. Handles among the arguments stay in the page. */
export async function evaluateGiven(
  session: Session,
  source: string | ((...given: never[]) => unknown),
  given: readonly unknown[],
  as: 'value' | 'handle',
): Promise<Evaluated> {
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
  // Statements are no expression.
  return session.send('Runtime.evaluate', { expression: String(source), ...options })
}

const isSyntaxError = ({ exceptionDetails }: Evaluated) =>
  exceptionDetails?.exception?.className === 'SyntaxError' && exceptionDetails.lineNumber <= 1

type Argument = { value?: unknown; unserializableValue?: string; objectId?: string }
function argumentOf(value: unknown): Argument {
  if (typeof value === 'bigint') return { unserializableValue: `${value}n` }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { unserializableValue: Object.is(value, -0) ? '-0' : String(value) }
  const remote = remoteOf(value)
  return remote ? { objectId: remote.objectId } : { value }
}

/** Handles carry their object under this name. */
export const held = Symbol('held')
function remoteOf(value: unknown): Remote | undefined {
  return typeof value === 'object' && value !== null ? (value as { [held]?: Remote })[held] : undefined
}

export function resultOf({ result, exceptionDetails }: Evaluated): RemoteObject {
  if (!exceptionDetails) return result
  const { exception, text } = exceptionDetails
  throw new Error(exception?.description ?? (exception?.value === undefined ? text : String(exception.value)))
}

export function valueOf(evaluated: Evaluated): unknown {
  const { value, unserializableValue } = resultOf(evaluated)
  if (unserializableValue === undefined) return value
  return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue)
}
