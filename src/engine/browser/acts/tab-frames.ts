import { createSemaphore } from '../../../util/semaphore.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { type Traffic, watchTraffic } from '../page/traffic.ts'
import { createWorld, type World } from '../world/isolated-world.ts'

/** The document of a page or frame: its isolated world, and the session to access it. */
type FrameDocument = { readonly id: string; readonly session: Session; readonly world: World }

/** Document of the page or of a cross-origin frame in it. */
export type LiveFrame = FrameDocument & {
  readonly traffic: Pick<Traffic, 'quietForMs'>
  /** Containing document, and the ref of the frame element; undefined for the page itself. */
  readonly around?: { readonly frame: LiveFrame; readonly ref: number }
}
export type MayReach = (url: string) => boolean

/** An action that could not be performed. The message is for the caller, and may contain page text. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
}

/** The element left the page before anything was done to it. */
export class GoneError extends ActionError {}

export class UnreachableFrameError extends ActionError {}

/** Maximum number of remembered ref ranges; the latest are kept. */
const maxRanges = 2000

export type TabFrames = ReturnType<typeof createTabFrames>

export type FrameOptions = {
  attach(frameId: string, signal: AbortSignal): Promise<Session>
  /** Called with the new session of a frame in its own process. */
  prepareFrame?(frame: Session): void
  /** Conditions that the URL of a frame must meet. */
  limits?: ReadonlySet<MayReach>
}

export function createTabFrames(main: LiveFrame, options: FrameOptions) {
  const { limits = new Set() } = options
  const openFrame = createFrameOpener(options)
  let ranges: { from: number; to: number; frame: LiveFrame }[] = []
  const traffics = new WeakMap<Session, LiveFrame['traffic']>([[main.session, main.traffic]])

  function trafficOf({ session, id }: FrameDocument): LiveFrame['traffic'] {
    const traffic = traffics.get(session) ?? watchTraffic(session, id)
    traffics.set(session, traffic)
    return traffic
  }

  let acted: LiveFrame | undefined
  let notifyLeft: (() => void) | undefined
  return {
    main,
    /** Frame of the running action; undefined for the page itself. */
    get acted(): LiveFrame | undefined {
      return acted
    },
    set acted(frame: LiveFrame | undefined) {
      acted = frame
      const { session = main.session } = frame ?? {}
      if (session !== main.session) void session.ended.then(() => acted?.session === session && notifyLeft?.())
    },
    /** Resolves when the frame of the running action leaves the page, if it has its own process. */
    whenActedLeaves: () => new Promise<void>((resolve) => (notifyLeft = resolve)),
    /** Allows one call at a time, so each call continues the ref numbers of the previous one. */
    callLock: createSemaphore(1),
    of: (ref: number) => ranges.find(({ from, to }) => from <= ref && ref < to)?.frame ?? main,
    /** Assigns the refs from `from` up to but excluding `to` to a document. */
    claim(frame: LiveFrame, from: number, to: number) {
      if (frame === main || to <= from) return
      ranges = [...ranges, { from, to, frame }].slice(-maxRanges)
    },
    hasFrameRefs: () => ranges.length > 0,
    forget(frame: LiveFrame) {
      ranges = ranges.filter((each) => each.frame.id !== frame.id)
    },
    /** Opens the document in a frame element. Fails with an ActionError, or a CdpError if it is being replaced. */
    async open(around: LiveFrame, ref: number, signal: AbortSignal): Promise<LiveFrame> {
      const objectId = await around.world.refer('elementOf', [ref], signal)
      const inner = objectId === '' ? undefined : await openFrame(around, objectId, signal)
      if (!inner) throw new ActionError(`The frame e${ref} has left the page.`)
      return { ...inner, traffic: trafficOf(inner), around: { frame: around, ref } }
    },
    isLimited: () => limits.size > 0,
    /** Fails with an ActionError if access to a frame with a document at this URL is not allowed. */
    check(frame: LiveFrame, url: string) {
      if (frame !== main && !Array.from(limits).every((allows) => allows(url)))
        throw new UnreachableFrameError(
          'That frame is of a site that the task does not name: nothing in it is read or acted on.',
        )
    },
  }
}

/** Number of attempts after which a frame counts as removed. */
const frameTries = 8

/**
 * Opens frames of other origins. With site isolation, such a frame runs in its own process and has its own session,
 * opened on first use; otherwise it belongs to the page's session. Does not use auto-attach, which could pause new
 * frames and affect other clients of the browser.
 */
function createFrameOpener({ attach, prepareFrame }: FrameOptions) {
  const known = new Map<string, FrameDocument>()

  async function attached(id: string, signal: AbortSignal): Promise<Session> {
    const session = await attach(id, signal)
    await session.send('Page.enable', {}, signal)
    prepareFrame?.(session)
    void session.ended.then(() => known.get(id)?.session === session && known.delete(id))
    return session
  }

  /** Returns undefined for an element without a document. */
  return async function openFrame(around: FrameDocument, objectId: string, signal: AbortSignal) {
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
