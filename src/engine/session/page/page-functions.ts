import type { RefFunctions } from '../../page-script/page-functions.ts'
import type { LiveTab } from './live-tab.ts'

type Result<N extends keyof RefFunctions> = Awaited<ReturnType<RefFunctions[N]>>

/**
 * Calls a function of the page script that takes or returns refs. Refs go on from page to page, so that one of an earlier
 * page never means an element of a later one.
 */
export async function inPage<N extends keyof RefFunctions>(
  { call, memory }: Pick<LiveTab, 'call' | 'memory'>,
  name: N,
  args: Parameters<RefFunctions[N]>,
  signal: AbortSignal,
): Promise<Result<N>> {
  const { value, nextRef } = await call('callWithRefs', [memory.nextRef, name, ...args], signal)
  memory.nextRef = Math.max(memory.nextRef, nextRef)
  return value as Result<N>
}
