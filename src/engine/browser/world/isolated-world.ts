import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import { CdpError } from '../cdp/router.ts'
import type { Session } from '../cdp/cdp-session.ts'
import {
  type ArgsOf,
  callFunction,
  type InjectedFunctions,
  injectFunctions,
  type PageFunction,
  preloadPageScript,
  type ResultOf,
} from './page-script.ts'

/**
 * An isolated world of a frame: it shares the document with the page's scripts, which can neither see nor override its
 * content.
 */
export type World = {
  /**
   * Calls a function of the page script in the world. If the page navigates during the call, the function is called
   * again in the new document.
   */
  call<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>>
  /** Like `call`, but the result stays in the page; returns the id of the object. */
  refer<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<string>
  /** Passes the closed shadow roots of the document, which scripts cannot find, to the page script. */
  learnClosedRoots(signal?: AbortSignal): Promise<void>
}

/**
 * An error thrown by a script in the page. The message contains page text: return it to the sender of the script, never
 * log it.
 */
export class PageError extends Error {
  override readonly name = 'PageError'
}

export const worldName = 'gossamer'
/** Maximum nesting depth of shadow roots. */
const mostRounds = 5
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
      if (known?.contextId !== executionContextId) known = { contextId: executionContextId, functions }
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
    learnClosedRoots: (signal) => learnClosedRoots(session, { call, refer }, () => known, signal),
  }
}

type OpenWorld = { contextId: number; functions: InjectedFunctions }

async function learnClosedRoots(
  session: Session,
  { call, refer }: Pick<World, 'call' | 'refer'>,
  world: () => OpenWorld | undefined,
  signal?: AbortSignal,
): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const hosts = await call('findClosedHosts', [], signal)
    if (hosts === 0) return
    // An element may leave the page in the meantime.
    await Promise.allSettled(Array.from({ length: hosts }, (_, nth) => learnRootOf(nth)))
    signal?.throwIfAborted()
  }

  /** Only the browser knows which elements have a closed shadow root, and gives access to it. */
  async function learnRootOf(nth: number): Promise<void> {
    const objectId = await refer('closedHost', [nth], signal)
    const { node } = await session.send('DOM.describeNode', { objectId }, signal)
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed')
    const { contextId: executionContextId, functions } = world() ?? {}
    if (!root || !functions || executionContextId === undefined) return
    const place = { backendNodeId: root.backendNodeId, executionContextId }
    const { object } = await session.send('DOM.resolveNode', place, signal)
    const given = { as: 'value', root: { objectId: object.objectId ?? '' } } as const
    await callFunction(session, functions, 'learnClosedRoot', [], given, signal)
  }
}

/**
 * Evaluates an expression among the page's own scripts, awaits its promise and copies the value. Throws PageError for
 * an error of the page.
 */
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
/** Opens a session with a frame that runs in its own process. */
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
