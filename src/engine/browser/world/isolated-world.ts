import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Protocol } from 'devtools-protocol'
import { once } from '../../../util/async.ts'
import type { Internals } from '../../page-script/dom/tree.ts'
import type { PageFunctions } from '../../page-script/functions-by-name.ts'
import { CdpError, type Session } from '../cdp/cdp-session.ts'

/** An isolated world of a frame: the page's scripts can neither see nor override its content. */
export type World = {
  /** Calls a function of the page script, and calls it again if the page navigates meanwhile. */
  call<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>>
  /** Like `call`, but the result stays in the page; returns the id of the object. */
  refer<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<string>
  /**
   * Gives the page script access to what scripts cannot read: closed shadow roots, and the roles and states that
   * elements set by `ElementInternals`. With `states`, does nothing unless an earlier call has found such an element.
   */
  learnHosts(what: 'all' | 'states', signal?: AbortSignal): Promise<void>
  /** Reports the elements with press listeners, which only the browser knows, to the page script of a main frame. */
  learnListeners(signal?: AbortSignal): Promise<void>
}

/** An error thrown by a script. The message contains page text, and is only for the sender of the script. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

export const worldName = 'gossamer'
/** Maximum nesting depth of shadow roots. */
const maxRounds = 5
/** Maximum number of attempts of a call while the page navigates. */
const defaultTries = 40
const retryMs = 25

export function createWorld(session: Session, frameId: string, maxTries = defaultTries): World {
  preloadPageScript()
  let current: InjectedFunctions | undefined
  /** Kept while its document exists, because the functions have state. */
  let known: OpenWorld | undefined
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === frameId) current = undefined
  })

  async function open(signal?: AbortSignal): Promise<InjectedFunctions> {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName }, signal)
    if (known?.contextId !== executionContextId) {
      const functions = await injectFunctions(session, executionContextId, signal)
      // A concurrent call may have opened it.
      if (known?.contextId !== executionContextId)
        known = { contextId: executionContextId, functions, listening: new Set(), hasInternals: false }
    }
    return known.functions
  }

  async function within<T>(work: (functions: InjectedFunctions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work((current ??= await open(signal)))
      } catch (error) {
        current = undefined
        if (!isNavigationError(error) || tries >= maxTries) throw error
        known = undefined
        await sleep(retryMs, undefined, { signal })
      }
    }
  }

  const call: World['call'] = async (name, args, signal) =>
    valueOf<never>(
      await within((functions) => callFunction(session, functions, name, args, { as: 'value' }, signal), signal),
    )
  const refer: World['refer'] = (name, args, signal) =>
    within(async (functions) => {
      const { result } = await callFunction(session, functions, name, args, { as: 'object' }, signal)
      return result.objectId ?? ''
    }, signal)

  return {
    call,
    refer,
    learnHosts: (what, signal) => learnHosts(session, { call, refer, isFor: what }, () => known, signal),
    learnListeners: (signal) => learnListeners(session, () => known, signal),
  }
}

/** `listening` contains the backend ids of the elements with a known press listener. */
type OpenWorld = { contextId: number; functions: InjectedFunctions; listening: Set<number>; hasInternals: boolean }

const pressTypes = /^(?:click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/
/** Number of elements above which a page would answer too slowly. */
const maxElements = 5000
const maxListening = 200

async function learnListeners(session: Session, world: () => OpenWorld | undefined, signal?: AbortSignal) {
  // Uses an object of the page's world: with an object of our world, Chromium crashes when it meets our own listeners.
  const expression = `document.getElementsByTagName('*').length > ${maxElements} ? null : document`
  const { result } = await session.send('Runtime.evaluate', { expression }, signal)
  if (result.objectId === undefined) return
  const request = { objectId: result.objectId, depth: -1, pierce: true }
  const { listeners } = await session.send('DOMDebugger.getEventListeners', request, signal)
  const known = world()
  if (!known) return
  const ids = listeners.flatMap(({ type, backendNodeId }) => (pressTypes.test(type) ? (backendNodeId ?? []) : []))
  const fresh = [...new Set(ids)].filter((id) => !known.listening.has(id)).slice(0, maxListening)
  await Promise.allSettled(fresh.map((id) => callWithNode(session, id, 'learnListener', known, signal)))
  for (const id of fresh) known.listening.add(id)
  signal?.throwIfAborted()
}

/** Calls a function of the page script with a node of the page. */
async function callWithNode(
  session: Session,
  backendNodeId: number,
  name: 'learnClosedRoot' | 'learnListener',
  { contextId: executionContextId, functions }: OpenWorld,
  signal?: AbortSignal,
): Promise<void> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId }, signal)
  const root = { objectId: object.objectId ?? '' }
  await callFunction(session, functions, name, [], { as: 'value', root }, signal)
}

async function learnHosts(
  session: Session,
  { call, refer, isFor }: Pick<World, 'call' | 'refer'> & { isFor: 'all' | 'states' },
  world: () => OpenWorld | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (isFor === 'states' && !world()?.hasInternals) return
  for (let round = 0; round < maxRounds; round++) {
    const { closed, silent } = await call('findHosts', [], signal)
    if (closed === 0) return learnInternals(silent)
    // An element may leave the page in the meantime.
    await Promise.allSettled(Array.from({ length: closed }, (_, nth) => learnRootOf(nth)))
    signal?.throwIfAborted()
  }

  /** Only the browser knows which elements have a closed shadow root, and gives access to it. */
  async function learnRootOf(nth: number): Promise<void> {
    const objectId = await refer('hostAt', ['closed', nth], signal)
    const { node } = await session.send('DOM.describeNode', { objectId }, signal)
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed')
    const known = world()
    if (root && known) await callWithNode(session, root.backendNodeId, 'learnClosedRoot', known, signal)
  }

  async function learnInternals(count: number): Promise<void> {
    if (count === 0) return
    const all = await Promise.all(Array.from({ length: count }, (_, nth) => internalsAt(nth).catch(() => null)))
    signal?.throwIfAborted()
    await call('learnInternals', [all], signal)
    const known = world()
    if (known) known.hasInternals ||= all.some((each) => each !== null && each['role'] !== 'generic')
  }

  async function internalsAt(nth: number): Promise<Internals | null> {
    const objectId = await refer('hostAt', ['silent', nth], signal)
    const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false }, signal)
    session.send('Runtime.releaseObject', { objectId }).catch(() => undefined)
    const [node] = nodes
    if (!node || node.ignored) return null
    const { role, name, value: valuenow, properties = [] } = node
    const label = name?.sources?.find(({ attribute }) => attribute === 'aria-label')?.value
    const states = [
      ...properties,
      ...Object.entries({ role, label, valuenow }).map(([key, of]) => ({ name: key, value: of })),
    ]
    return Object.fromEntries(
      states.flatMap((each) => (each.value?.value ? [[each.name, String(each.value.value)]] : [])),
    )
  }
}

/** Evaluates an expression among the page's own scripts. Fails with a PageError of the page. */
export async function evaluate<T>(session: Session, expression: string, signal?: AbortSignal): Promise<T> {
  const options = { userGesture: true, returnByValue: true, awaitPromise: true }
  return valueOf(await session.send('Runtime.evaluate', { expression, ...options }, signal))
}

function valueOf<T>({ result, exceptionDetails }: Protocol.Runtime.EvaluateResponse): T {
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new PageError(String(exception?.description ?? exception?.value ?? text).split('\n', 1)[0])
}

/** True if a call failed because the page navigated while it ran. */
export const isNavigationError = (error: unknown): boolean =>
  error instanceof CdpError &&
  error.why === 'refused' &&
  /context|navigated|No frame|object with given id|Internal error|Promise was collected/i.test(error.message)

export type PageFunction = keyof PageFunctions
export type ArgsOf<N extends PageFunction> = Parameters<PageFunctions[N]>
type ResultOf<N extends PageFunction> = Awaited<ReturnType<PageFunctions[N]>>

/** Functions of the page script in an execution context, to which the page has no reference. */
type InjectedFunctions = { objectId: string }

/** Returns the page script: a file next to the bundle, or bundled on first use from the sources. */
export const pageScript = once(async () => {
  const isBundle = !import.meta.url.endsWith('.ts')
  return isBundle ? readFile(new URL('./page-script.js', import.meta.url), 'utf8') : bundlePageScript('readable')
})

/** Starts loading the page script, so the first call into a page need not wait for it. */
function preloadPageScript(): void {
  pageScript().catch(() => undefined)
}

/** Bundles the page script as an expression whose value is the table of functions; esbuild is not shipped. */
export async function bundlePageScript(form: 'minified' | 'readable'): Promise<string> {
  const { build } = await import('esbuild')
  const entry = fileURLToPath(new URL('../../page-script/functions-by-name.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'script',
    write: false,
    minify: form === 'minified',
    target: 'chrome120',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  return `(()=>{${outputFiles[0]?.text ?? ''}return script.pageFunctions})()`
}

/** Runs the page script in an execution context. */
async function injectFunctions(session: Session, contextId: number, signal?: AbortSignal) {
  const { result } = await session.send('Runtime.evaluate', { expression: await pageScript(), contextId }, signal)
  return { objectId: result.objectId ?? '' }
}

/**
 * Calls a function by its name and awaits its promise. The result is copied as JSON, or stays in the page as an object.
 */
function callFunction(
  session: Session,
  functions: InjectedFunctions,
  name: PageFunction,
  args: readonly unknown[],
  { as, root }: { as: 'value' | 'object'; root?: { objectId: string } },
  signal?: AbortSignal,
): Promise<Protocol.Runtime.EvaluateResponse> {
  return session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: root
        ? 'function(functions,name,...args){return functions[name](...args,this)}'
        : 'function(name,...args){return this[name](...args)}',
      objectId: root ? root.objectId : functions.objectId,
      arguments: [...(root ? [functions] : []), ...[name, ...args].map((value) => ({ value }))],
      returnByValue: as === 'value',
      awaitPromise: true,
    },
    signal,
  )
}
