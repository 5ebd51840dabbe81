import { createSemaphore, type Semaphore } from '../../../util/semaphore.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { type Traffic, watchTraffic } from '../page/traffic.ts'
import type { FrameDocument, OpenFrame } from '../world/isolated-world.ts'

/** Document of the page or of a cross-origin frame in it. */
export type LiveFrame = FrameDocument & {
  readonly traffic: Pick<Traffic, 'quietForMs'>
  /** Containing document, and the ref of the frame element; undefined for the page itself. */
  readonly around?: { readonly frame: LiveFrame; readonly ref: number }
}
export type TabFrames = {
  readonly main: LiveFrame
  /** Frame of the running action; undefined for the page itself. */
  acted?: LiveFrame | undefined
  /** Resolves when the frame of the running action leaves the page, if it has its own process. */
  whenActedLeaves(signal: AbortSignal): Promise<void>
  /** Allows one call at a time, so each call continues the ref numbers of the previous one. */
  readonly turns: Semaphore
  /** Returns the document that contains the element of a ref. */
  of(ref: number): LiveFrame
  /** Assigns the refs from `from` up to but excluding `to` to a document. */
  claim(frame: LiveFrame, from: number, to: number): void
  areMixed(): boolean
  /** Removes the refs of a frame that is gone. */
  forget(frame: LiveFrame): void
  /** Opens the document in a frame element. Fails with an ActionError, or a CdpError if it is being replaced. */
  open(around: LiveFrame, ref: number, signal: AbortSignal): Promise<LiveFrame>
  isLimited(): boolean
  /** Fails with an ActionError if access to a frame with a document at this URL is not allowed. */
  check(frame: LiveFrame, url: string): void
}
/** Returns true if access to cross-origin frames with a document at this URL is allowed. */
export type MayReach = (url: string) => boolean

/** An action that could not be performed. The message is for the caller, and may contain page text. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
}

export class UnreachableFrameError extends ActionError {}

/** Maximum number of remembered ref ranges; the latest are kept. */
const maxRanges = 2000

export function createTabFrames(main: LiveFrame, openFrame: OpenFrame, limits: ReadonlySet<MayReach>): TabFrames {
  let ranges: { from: number; to: number; frame: LiveFrame }[] = []
  const traffics = new WeakMap<Session, LiveFrame['traffic']>([[main.session, main.traffic]])

  function trafficOf({ session, id }: FrameDocument): LiveFrame['traffic'] {
    const traffic = traffics.get(session) ?? watchTraffic(session, id)
    traffics.set(session, traffic)
    return traffic
  }

  let acted: LiveFrame | undefined
  const followed = new WeakSet<Session>([main.session])
  const waiting = new Set<() => void>()
  const tellIfActed = (session: Session) => acted?.session === session && waiting.forEach((tell) => tell())

  return {
    main,
    get acted() {
      return acted
    },
    set acted(frame) {
      acted = frame
      if (!frame || followed.has(frame.session)) return
      const { session } = frame
      followed.add(session)
      void session.ended.then(() => tellIfActed(session))
    },
    whenActedLeaves: (signal) =>
      new Promise((resolve) => {
        waiting.add(resolve)
        signal.addEventListener('abort', () => waiting.delete(resolve), { once: true })
      }),
    turns: createSemaphore(1),
    of: (ref) => ranges.find(({ from, to }) => from <= ref && ref < to)?.frame ?? main,
    claim(frame, from, to) {
      if (frame === main || to <= from) return
      ranges = [...ranges, { from, to, frame }].slice(-maxRanges)
    },
    areMixed: () => ranges.length > 0,
    forget(frame) {
      ranges = ranges.filter((each) => each.frame.id !== frame.id)
    },
    async open(around, ref, signal) {
      const objectId = await around.world.refer('elementOf', [ref], signal)
      const inner = objectId === '' ? undefined : await openFrame(around, { objectId }, signal)
      if (!inner) throw new ActionError(`The frame e${ref} has left the page.`)
      return { ...inner, traffic: trafficOf(inner), around: { frame: around, ref } }
    },
    isLimited: () => limits.size > 0,
    check(frame, url) {
      if (frame !== main && !Array.from(limits).every((allows) => allows(url)))
        throw new UnreachableFrameError(
          'That frame is of a site that the task does not name: nothing in it is read or acted on.',
        )
    },
  }
}
