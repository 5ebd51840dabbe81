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

/** An isolated world of a frame: it shares the document with the page's scripts, which can neither see nor override what is in it. */
export type World = {
  /** Calls a function of the page script there. If the page leaves meanwhile, it is called again where the page arrives. */
  call<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>>
  /** The same for a result that stays in the page: the id of the object. */
  refer<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<string>
  /** Tells the page script the closed shadow roots of the document, which scripts cannot find. */
  learnClosedRoots(signal?: AbortSignal): Promise<void>
}

/** What a script in the page threw. The message is the page's: it goes to whoever sent the script, never to the log. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

export const worldName = 'gossamer'
/** Shadow roots may be nested so deep. */
const mostRounds = 5
/** So often a call is made again while the page goes elsewhere. */
const usualTries = 40
const tryAgainMs = 25

export function createWorld(session: Session, frameId: string, maxTries = usualTries): World {
  preloadPageScript()
  let current: InjectedFunctions | undefined
  /** The world of a document keeps its functions, and what they remember. */
  let known: OpenWorld | undefined
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === frameId) current = undefined
  })

  async function open(signal?: AbortSignal): Promise<InjectedFunctions> {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName }, signal)
    if (known?.contextId !== executionContextId) {
      const functions = await injectFunctions(session, executionContextId, signal)
      // Two calls at once may have opened it.
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
    // An element may leave the page meanwhile.
    await Promise.allSettled(Array.from({ length: hosts }, (_, nth) => learnRootOf(nth)))
    signal?.throwIfAborted()
  }

  /** Only the browser tells which elements have a closed shadow root, and hands it out. */
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

/** Evaluates an expression among the page's own scripts, awaits its promise and copies the value. Throws PageError for what the page threw. */
export async function evaluate<T>(session: Session, expression: string, signal?: AbortSignal): Promise<T> {
  const options = { userGesture: true, returnByValue: true, awaitPromise: true }
  return valueOf(await session.send('Runtime.evaluate', { expression, ...options }, signal))
}

function valueOf<T>({ result, exceptionDetails }: Protocol.Runtime.EvaluateResponse): T {
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new PageError(String(exception?.description ?? exception?.value ?? text).split('\n', 1)[0])
}

/** Whether a call failed because the page went elsewhere while it ran. */
export const hasLeft = (error: unknown): boolean =>
  error instanceof CdpError &&
  error.why === 'refused' &&
  /context|navigated|No frame|object with given id|Internal error|Promise was collected/i.test(error.message)

/** The document of a page or of a frame: its isolated world, and the session that reaches it. */
export type FrameDocument = { readonly id: string; readonly session: Session; readonly world: World }
/** Opens a session with a frame that runs in a process of its own. */
export type AttachFrame = (frameId: string, signal: AbortSignal) => Promise<Session>
/** The document in a frame element of another origin; undefined for an element that holds none. */
export type OpenFrame = (
  around: Pick<FrameDocument, 'session'>,
  element: { objectId: string },
  signal: AbortSignal,
) => Promise<FrameDocument | undefined>

/** A frame that is not there soon has left the page. */
const frameTries = 8

/**
 * Reaches into frames of other origins. Where the browser keeps sites apart, such a frame runs in a process of its own and
 * is reached over a session of its own, opened on first use; elsewhere it is a further document of the page's session.
 * Nothing is attached automatically, so that no frame waits for us and no other client of the browser notices.
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
    // A frame that navigates may change its process.
    if (before && (before.session === around.session) === isInProcess) return before
    const session = isInProcess ? around.session : await attached(id, signal)
    const frame = { id, session, world: createWorld(session, id, frameTries) }
    known.set(id, frame)
    return frame
  }
}
