import { withDeadline } from '../../../util/async.ts'
import { CdpError } from '../../browser/cdp/router.ts'
import { hasLeft } from '../../browser/world/isolated-world.ts'
import type { RefFunctions } from '../../page-script/functions-by-name.ts'
import type { LiveFrame } from './tab-frames.ts'
import type { LiveTab } from './live-tab.ts'

type RefFunction = keyof RefFunctions
type Result<N extends RefFunction> = Awaited<ReturnType<RefFunctions[N]>>
type PageOfTab = Pick<LiveTab, 'frames' | 'memory'>

/** Number of refs skipped after a call without an answer, because the refs it assigned are unknown. */
const lostRefs = 10_000
/** Maximum number of searched cross-origin frames, and their maximum nesting depth. */
const mostFrames = 10
const deepest = 5
/** Functions that search the whole document. */
const looks: ReadonlySet<RefFunction> = new Set([
  'extractContent',
  'extractRows',
  'findText',
  'isTextShown',
  'readSnapshot',
  'resolveTarget',
  'scrollToText',
])
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
    if (!isGone(error)) throw error
    tab.frames.forget(frame)
    return inFrame(tab, tab.frames.main, name, args, signal)
  }
}

const isGone = (error: unknown) =>
  hasLeft(error) || (error instanceof CdpError && (error.why === 'detached' || error.why === 'crashed'))

/** Calls a function in one document. Fails with an ActionError if access to that document is not allowed. */
export async function inFrame<N extends RefFunction>(
  { frames, memory }: PageOfTab,
  frame: LiveFrame,
  name: N,
  args: Parameters<RefFunctions[N]>,
  signal: AbortSignal,
): Promise<Result<N>> {
  await frames.turns.acquire(signal)
  const from = memory.nextRef
  try {
    if (looks.has(name)) await frame.world.learnClosedRoots(signal)
    const answer = await frame.world.call('callWithRefs', [from, name, ...args], signal)
    memory.nextRef = Math.max(from, answer.nextRef)
    frames.claim(frame, from, memory.nextRef)
    // Only the answer shows which URL the document had at that time.
    frames.check(frame, answer.url)
    return answer.value as Result<N>
  } catch (error) {
    if (signal.aborted && (frame !== frames.main || frames.areMixed())) memory.nextRef = from + lostRefs
    throw error
  } finally {
    frames.turns.release()
  }
}

/**
 * Queries the page and then its cross-origin frames in order, until an answer is sufficient. Returns all answers up to
 * that one. Frames that do not respond or may not be accessed are skipped.
 */
export async function askFrames<N extends RefFunction>(
  tab: PageOfTab,
  name: N,
  args: Parameters<RefFunctions[N]>,
  isEnough: (answer: Result<N>) => boolean,
  signal: AbortSignal,
): Promise<Result<N>[]> {
  const answers = [await inFrame(tab, tab.frames.main, name, args, signal)]
  const hasEnough = () => isEnough(answers.at(-1) as Result<N>)
  let left = mostFrames

  async function askInside(around: LiveFrame, depth: number): Promise<void> {
    const elements = hasEnough() ? [] : await orNothing(signal, (own) => inFrame(tab, around, 'foreignFrames', [], own))
    for (const ref of elements ?? []) {
      if (hasEnough() || left-- <= 0) return
      const frame = await orNothing(signal, async (own) => {
        const inner = await tab.frames.open(around, ref, own)
        answers.push(await inFrame(tab, inner, name, args, own))
        return inner
      })
      if (frame && depth < deepest) await askInside(frame, depth + 1)
    }
  }

  await askInside(tab.frames.main, 1)
  return answers
}

/** Runs work in a frame; returns undefined if the frame hangs, is gone or is out of bounds. */
async function orNothing<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  return withDeadline({ step: 'look into a frame', ms: frameMs }, signal, work).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}
