import { withDeadline } from '../../../util/async.ts'
import type { RefFunctions } from '../../page-script/functions-by-name.ts'
import { CdpError } from '../cdp/cdp-session.ts'
import type { Point } from '../input/mouse-and-keyboard.ts'
import type { Tab } from '../page/tab.ts'
import { isNavigationError } from '../world/isolated-world.ts'
import type { LiveFrame } from './tab-frames.ts'

type RefFunction = keyof RefFunctions
type Result<N extends RefFunction> = Awaited<ReturnType<RefFunctions[N]>>
type PageOfTab = Pick<Tab, 'frames' | 'memory'>

/** Number of refs skipped after an aborted call, which may have assigned refs. */
const lostRefs = 10_000
/** Maximum number of searched cross-origin frames, and their maximum nesting depth. */
const [maxFrames, maxDepth] = [10, 5]
/** Functions that read the whole document. */
const documentFunctions: ReadonlySet<string> = new Set(
  'captureHtml extractContent extractRows findText isTextShown readSnapshot resolveTarget scrollToText'.split(' '),
)
/** Functions that read the state of one element. */
const stateFunctions: ReadonlySet<string> = new Set(['readElement', 'readField', 'resolveField'])
/** Time limit in ms after which an unresponsive frame is skipped. */
const frameMs = 1500

/**
 * Calls a function of the page script that takes or returns refs. Ref numbers continue across pages and frames, so a
 * ref of an earlier page never identifies an element of a later one. The call goes to the document that contains the
 * element; for a ref of a removed frame the page reports an unknown ref.
 */
export async function inPage<N extends RefFunction>(
  tab: PageOfTab,
  name: N,
  args: Parameters<RefFunctions[N]>,
  signal: AbortSignal,
): Promise<Result<N>> {
  const [first] = args
  const frame = typeof first === 'number' ? tab.frames.of(first) : tab.frames.main
  if (frame === tab.frames.main) return inFrame(tab, frame, name, args, signal)
  try {
    return await inFrame(tab, frame, name, args, signal)
  } catch (error) {
    if (!isFrameGone(error)) throw error
    tab.frames.forget(frame)
    return inFrame(tab, tab.frames.main, name, args, signal)
  }
}

const isFrameGone = (error: unknown) =>
  isNavigationError(error) || (error instanceof CdpError && (error.why === 'detached' || error.why === 'crashed'))

/** Calls a function in one document. Fails with an ActionError if access to that document is not allowed. */
export async function inFrame<N extends RefFunction>(
  { frames, memory }: PageOfTab,
  frame: LiveFrame,
  name: N,
  args: Parameters<RefFunctions[N]>,
  signal: AbortSignal,
): Promise<Result<N>> {
  await frames.callLock.acquire(signal)
  const from = memory.nextRef
  try {
    if (documentFunctions.has(name)) await frame.world.learnHosts('all', signal)
    else if (stateFunctions.has(name)) await frame.world.learnHosts('states', signal)
    if (name === 'readSnapshot' && frame === frames.main) await frame.world.learnListeners(signal)
    const answer = await frame.world.call('callWithRefs', [from, name, ...args], signal)
    memory.nextRef = Math.max(from, answer.nextRef)
    frames.claim(frame, from, memory.nextRef)
    // The document may have navigated, so the check needs the URL in the answer.
    frames.check(frame, answer.url)
    const value = answer.value as Result<N>
    return memory.hide ? memory.hide(value) : value
  } catch (error) {
    if (signal.aborted && (frame !== frames.main || frames.hasFrameRefs())) memory.nextRef = from + lostRefs
    throw error
  } finally {
    frames.callLock.release()
  }
}

/** Calls a function in the page, then in its cross-origin frames, until `isEnough` is true. Skips hanging frames. */
export async function queryFrames<N extends RefFunction>(
  tab: PageOfTab,
  name: N,
  args: Parameters<RefFunctions[N]>,
  isEnough: (answer: Result<N>) => boolean,
  signal: AbortSignal,
): Promise<Result<N>[]> {
  const answers = [await inFrame(tab, tab.frames.main, name, args, signal)]
  const hasEnough = () => isEnough(answers.at(-1) as Result<N>)
  let left = maxFrames

  async function queryInside(around: LiveFrame, depth: number): Promise<void> {
    const elements = hasEnough()
      ? []
      : await orUndefined(signal, (own) => inFrame(tab, around, 'foreignFrames', [], own))
    for (const ref of elements ?? []) {
      if (hasEnough() || left-- <= 0) return
      const frame = await orUndefined(signal, async (own) => {
        const inner = await tab.frames.open(around, ref, own)
        answers.push(await inFrame(tab, inner, name, args, own))
        return inner
      })
      if (frame && depth < maxDepth) await queryInside(frame, depth + 1)
    }
  }

  await queryInside(tab.frames.main, 1)
  return answers
}

/** Runs work in a frame; returns undefined if the frame hangs, is gone or may not be accessed. */
async function orUndefined<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  return withDeadline({ step: 'query a frame', ms: frameMs }, signal, work).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}

/** A document, and the position of its top left corner in the window. */
export type FrameAt = { frame: LiveFrame; from: Point }

/** Returns the innermost document at a point of the window, or the focused one. Fails if it may not be accessed. */
export async function frameAt(tab: PageOfTab, point: Point | null, signal: AbortSignal): Promise<FrameAt> {
  let [frame, from] = [tab.frames.main, { x: 0, y: 0 }]
  for (let depth = 0; depth < maxDepth; depth++) {
    const at = point && { x: point.x - from.x, y: point.y - from.y }
    const inner = await inFrame(tab, frame, 'foreignFrameAt', [at], signal)
    if (!inner) break
    frame = await tab.frames.open(frame, inner.ref, signal)
    from = { x: from.x + inner.x, y: from.y + inner.y }
  }
  return { frame, from }
}
