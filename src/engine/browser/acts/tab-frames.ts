import { createSemaphore } from '../../../util/semaphore.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { type Traffic, watchTraffic } from '../page/traffic.ts'
import type { FrameDocument, OpenFrame } from '../world/isolated-world.ts'

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

export class UnreachableFrameError extends ActionError {}

/** Maximum number of remembered ref ranges; the latest are kept. */
const maxRanges = 2000

export type TabFrames = ReturnType<typeof createTabFrames>

export function createTabFrames(main: LiveFrame, openFrame: OpenFrame, limits: ReadonlySet<MayReach>) {
  let ranges: { from: number; to: number; frame: LiveFrame }[] = []
  const traffics = new WeakMap<Session, LiveFrame['traffic']>([[main.session, main.traffic]])

  function trafficOf({ session, id }: FrameDocument): LiveFrame['traffic'] {
    const traffic = traffics.get(session) ?? watchTraffic(session, id)
    traffics.set(session, traffic)
    return traffic
  }

  let acted: LiveFrame | undefined
  let tellLeft: (() => void) | undefined
  return {
    main,
    /** Frame of the running action; undefined for the page itself. */
    get acted(): LiveFrame | undefined {
      return acted
    },
    set acted(frame: LiveFrame | undefined) {
      acted = frame
      const { session = main.session } = frame ?? {}
      if (session !== main.session) void session.ended.then(() => acted?.session === session && tellLeft?.())
    },
    /** Resolves when the frame of the running action leaves the page, if it has its own process. */
    whenActedLeaves: () => new Promise<void>((resolve) => (tellLeft = resolve)),
    /** Allows one call at a time, so each call continues the ref numbers of the previous one. */
    turns: createSemaphore(1),
    of: (ref: number) => ranges.find(({ from, to }) => from <= ref && ref < to)?.frame ?? main,
    /** Assigns the refs from `from` up to but excluding `to` to a document. */
    claim(frame: LiveFrame, from: number, to: number) {
      if (frame === main || to <= from) return
      ranges = [...ranges, { from, to, frame }].slice(-maxRanges)
    },
    areMixed: () => ranges.length > 0,
    forget(frame: LiveFrame) {
      ranges = ranges.filter((each) => each.frame.id !== frame.id)
    },
    /** Opens the document in a frame element. Fails with an ActionError, or a CdpError if it is being replaced. */
    async open(around: LiveFrame, ref: number, signal: AbortSignal): Promise<LiveFrame> {
      const objectId = await around.world.refer('elementOf', [ref], signal)
      const inner = objectId === '' ? undefined : await openFrame(around, { objectId }, signal)
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
