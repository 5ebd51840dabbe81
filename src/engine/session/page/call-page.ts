import { withDeadline } from '../../../util/async.ts'
import { CdpError } from '../../browser/cdp/router.ts'
import { hasLeft } from '../../browser/world/isolated-world.ts'
import type { RefFunctions } from '../../page-script/functions-by-name.ts'
import type { LiveFrame } from './tab-frames.ts'
import type { LiveTab } from './live-tab.ts'

type RefFunction = keyof RefFunctions
type Result<N extends RefFunction> = Awaited<ReturnType<RefFunctions[N]>>
type PageOfTab = Pick<LiveTab, 'frames' | 'memory'>

/** After a call without an answer, nobody knows which refs the document has given. */
const lostRefs = 10_000
/** Frames of other origins that are looked into, and how deep they may be nested. */
const mostFrames = 10
const deepest = 5
/** They look through the whole document. */
const looks: ReadonlySet<RefFunction> = new Set([
  'extractContent',
  'extractRows',
  'findText',
  'isTextShown',
  'readSnapshot',
  'resolveTarget',
  'scrollToText',
])
/** A frame that does not answer in this time is passed over, ms. */
const frameMs = 1500

/**
 * Calls a function of the page script that takes or returns refs. Refs go on from page to page and from frame to frame, so
 * that one of an earlier page never means an element of a later one. A ref leads to the document that has its element; one
 * of a frame that has left the page is unknown to the page.
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

/** The same in one document. Fails with an ActionError where that may not be reached. */
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
    // Only now is it sure where the document was that has answered.
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
 * Asks the page, and then its frames of other origins in their order, until an answer is enough. Returns all answers up to
 * that one. Frames that do not answer, or may not be reached, are passed over.
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

/** Work in a frame, which may be hung, gone or out of bounds. */
async function orNothing<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  return withDeadline({ step: 'look into a frame', ms: frameMs }, signal, work).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}
