import type { Actionability, Need } from '../../page-script/code/actionable.ts'
import type { PageCore } from './core.ts'
import { isNavigating, TimeoutError } from './errors.ts'
import { inPage, type Remote } from './evaluate.ts'
import { pause } from './input.ts'
import type { Step } from '../../page-script/code/find.ts'

/** How elements are found, and how messages name them. */
export type Target = {
  readonly core: PageCore
  readonly steps: readonly Step[]
  /** A locator must match exactly one element (strict mode); a selector means the first match. */
  readonly which: 'only' | 'first'
  readonly root?: Remote | undefined
  readonly saying: string
}
export type Ready = Extract<Actionability, { is: 'ready' }>
export type TimeLimit = { timeout?: number | undefined }

const sayings: Record<Exclude<Actionability['is'], 'ready' | 'many'>, string> = {
  missing: 'no element matches',
  hidden: 'the element is not visible',
  disabled: 'the element is not enabled',
  readonly: 'the element is not editable',
  moving: 'the element is not stable',
  covered: 'another element receives the pointer events',
}
/** Delays between retries, ms. */
const looksMs = [0, 20, 50, 100, 100, 250]

/** Polls until there is a result; fails with a TimeoutError that names the last obstacle. */
export async function poll<T>(
  name: string,
  timeoutMs: number,
  look: () => Promise<{ found: T } | { why: string }>,
): Promise<T> {
  const until = performance.now() + timeoutMs
  let why = 'the page is loading'
  for (let nth = 0; ; nth++) {
    await pause(looksMs[nth] ?? 250)
    try {
      const seen = await look()
      if ('found' in seen) return seen.found
      why = seen.why
    } catch (thrown) {
      if (!isNavigating(thrown)) throw thrown
    }
    if (timeoutMs > 0 && performance.now() >= until)
      throw new TimeoutError(`${name}: Timeout ${timeoutMs}ms exceeded.\n${why}`)
  }
}

/** Waits until the element exists and is actionable. */
export function becomeReady(
  target: Target,
  name: string,
  needs: readonly Need[],
  { timeout }: TimeLimit = {},
): Promise<Ready> {
  const { core, steps, which, root, saying } = target
  return poll(name, timeout ?? core.timeouts.action, async () => {
    const seen = await inPage(await core.session(), 'checkActionable', [steps, needs, which], root)
    if (seen.is === 'ready') return { found: seen }
    if (seen.is === 'many')
      throw new Error(`${name}: strict mode violation: ${saying} resolved to ${seen.count} elements:\n${seen.by}`)
    return { why: `waiting for ${saying}: ${sayings[seen.is]}${seen.by === undefined ? '' : ` (${seen.by})`}` }
  })
}
