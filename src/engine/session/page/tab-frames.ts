import { createSemaphore, type Semaphore } from '../../../util/semaphore.ts'
import { type Tab, watchTraffic } from '../../browser/page/tab.ts'
import type { FrameDocument, OpenFrame } from '../../browser/world/isolated-world.ts'
import type { Session } from '../../browser/cdp/cdp-session.ts'
import { ActionError } from './action-types.ts'

/** The document of the page, or of a frame of another origin in it. */
export type LiveFrame = FrameDocument & {
  readonly traffic: Pick<Tab['traffic'], 'quietForMs'>
  /** The frame element that holds it; undefined for the page itself. */
  readonly around?: { readonly frame: LiveFrame; readonly ref: number }
}
/** The documents of one tab, whose refs are numbered together. */
export type TabFrames = {
  readonly main: LiveFrame
  /** The frame that the running act works in; undefined for the page itself. */
  acted?: LiveFrame | undefined
  /** Resolves when that frame, if it has a process of its own, leaves the page. */
  whenActedLeaves(signal: AbortSignal): Promise<void>
  /** One call at a time: each takes its refs where the one before has ended. */
  readonly turns: Semaphore
  /** The document that has the element of a ref. */
  of(ref: number): LiveFrame
  /** Refs from one number up to another are of that document. */
  claim(frame: LiveFrame, from: number, to: number): void
  /** Whether refs of several documents have been told. */
  areMixed(): boolean
  /** A frame is gone, with the elements of its refs. */
  forget(frame: LiveFrame): void
  /** The document in the frame element of a ref. Fails with an ActionError when there is none, and with a CdpError when it is just changing. */
  open(around: LiveFrame, ref: number, signal: AbortSignal): Promise<LiveFrame>
  /** Whether there are frames that may not be reached. */
  isLimited(): boolean
  /** Fails with an ActionError where a frame with a document at this URL may not be reached. */
  check(frame: LiveFrame, url: string): void
}
/** Whether frames of other origins may be reached whose documents are at that URL. */
export type MayReach = (url: string) => boolean

export class UnreachableFrameError extends ActionError {}

/** So many ranges are remembered, the latest. */
const mostRanges = 2000

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
      ranges = [...ranges, { from, to, frame }].slice(-mostRanges)
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
