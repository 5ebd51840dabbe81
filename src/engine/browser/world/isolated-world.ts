import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import type { Internals } from '../../page-script/dom/tree.ts'
import { CdpError, type Session } from '../cdp/cdp-session.ts'
import {
  type ArgsOf,
  callFunction,
  type InjectedFunctions,
  injectFunctions,
  type PageFunction,
  preloadPageScript,
  type ResultOf,
} from './page-script.ts'

/** An isolated world of a frame: the page's scripts can neither see nor override its content. */
export type World = {
  /** Calls a function of the page script, and calls it again if the page navigates meanwhile. */
  call<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>>
  /** Like `call`, but the result stays in the page; returns the id of the object. */
  refer<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<string>
  /**
   * Passes what scripts cannot find to the page script: closed shadow roots, and roles and states that elements state
   * by `ElementInternals`. `states` costs nothing in a document where no element is known to state any.
   */
  learnHosts(what: 'all' | 'states', signal?: AbortSignal): Promise<void>
  /** Tells the page script of a main frame which elements listen for a press; only the browser knows them. */
  learnListeners(signal?: AbortSignal): Promise<void>
}

/** An error thrown by a script. The message contains page text: only for the sender of the script. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

export const worldName = 'gossamer'
/** Maximum nesting depth of shadow roots. */
const maxRounds = 5
/** Maximum number of attempts of a call while the page navigates. */
const usualTries = 40
const tryAgainMs = 25

export function createWorld(session: Session, frameId: string, maxTries = usualTries): World {
  preloadPageScript()
  let current: InjectedFunctions | undefined
  /** The world of a document keeps its functions and their state. */
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
        if (!hasLeft(error) || tries >= maxTries) throw error
        known = undefined
        await sleep(tryAgainMs, undefined, { signal })
      }
    }
  }

  const call: World['call'] = <N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal) =>
    within(
      async (functions) =>
        valueOf<ResultOf<N>>(await callFunction(session, functions, name, args, { as: 'value' }, signal)),
      signal,
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

/** `listening` holds the backend ids of the elements that are known to listen. */
type OpenWorld = { contextId: number; functions: InjectedFunctions; listening: Set<number>; hasInternals: boolean }

const pressTypes = /^(?:click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/
/** Number of elements above which a page would answer too slowly. */
const maxElements = 5000
const maxListening = 200

async function learnListeners(session: Session, world: () => OpenWorld | undefined, signal?: AbortSignal) {
  // Chromium crashes on listeners of our own world if they are asked for through an object of that world.
  const expression = `document.getElementsByTagName('*').length > ${maxElements} ? null : document`
  const { result } = await session.send('Runtime.evaluate', { expression }, signal)
  if (result.objectId === undefined) return
  const request = { objectId: result.objectId, depth: -1, pierce: true }
  const { listeners } = await session.send('DOMDebugger.getEventListeners', request, signal)
  const known = world()
  if (!known) return
  const ids = listeners.flatMap(({ type, backendNodeId }) => (pressTypes.test(type) ? (backendNodeId ?? []) : []))
  const fresh = [...new Set(ids)].filter((id) => !known.listening.has(id)).slice(0, maxListening)
  await Promise.allSettled(fresh.map((id) => tellAbout(session, id, 'learnListener', known, signal)))
  for (const id of fresh) known.listening.add(id)
  signal?.throwIfAborted()
}

/** Calls a function of the page script with a node of the page. */
async function tellAbout(
  session: Session,
  backendNodeId: number,
  name: 'learnClosedRoot' | 'learnListener',
  { contextId: executionContextId, functions }: OpenWorld,
  signal?: AbortSignal,
): Promise<void> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId }, signal)
  const given = { as: 'value', root: { objectId: object.objectId ?? '' } } as const
  await callFunction(session, functions, name, [], given, signal)
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
    if (root && known) await tellAbout(session, root.backendNodeId, 'learnClosedRoot', known, signal)
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
export const hasLeft = (error: unknown): boolean =>
  error instanceof CdpError &&
  error.why === 'refused' &&
  /context|navigated|No frame|object with given id|Internal error|Promise was collected/i.test(error.message)

/** The document of a page or frame: its isolated world, and the session to access it. */
export type FrameDocument = { readonly id: string; readonly session: Session; readonly world: World }
export type AttachFrame = (frameId: string, signal: AbortSignal) => Promise<Session>
/** Opens the document in a cross-origin frame element; undefined for an element without one. */
export type OpenFrame = (
  around: Pick<FrameDocument, 'session'>,
  element: { objectId: string },
  signal: AbortSignal,
) => Promise<FrameDocument | undefined>

/** Number of attempts after which a frame counts as removed. */
const frameTries = 8

/**
 * Opens frames of other origins. With site isolation, such a frame runs in its own process and has its own session,
 * opened on first use; otherwise it is another document of the page's session. Nothing is attached automatically, so no
 * frame waits for us and other clients of the browser are not affected.
 */
export function createFrameOpener(attach: AttachFrame, prepare: (session: Session) => void = () => {}): OpenFrame {
  const known = new Map<string, FrameDocument>()

  async function attached(id: string, signal: AbortSignal): Promise<Session> {
    const session = await attach(id, signal)
    await session.send('Page.enable', {}, signal)
    prepare(session)
    void session.ended.then(() => known.get(id)?.session === session && known.delete(id))
    return session
  }

  return async (around, { objectId }, signal) => {
    const { node } = await around.session.send('DOM.describeNode', { objectId }, signal)
    const { frameId: id } = node
    if (id === undefined) return undefined
    const isInProcess = node.contentDocument !== undefined
    const before = known.get(id)
    // A frame that navigates may move to another process.
    if (before && (before.session === around.session) === isInProcess) return before
    const session = isInProcess ? around.session : await attached(id, signal)
    const frame = { id, session, world: createWorld(session, id, frameTries) }
    known.set(id, frame)
    return frame
  }
}
