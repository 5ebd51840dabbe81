import { addBlocks, addContainers } from '../../page-script/snapshot/blocks.ts'
import { addEnter } from '../../page-script/snapshot/enter.ts'
import { addFrames, addNodes } from '../../page-script/snapshot/frames.ts'
import { addMeaning, addRoles } from '../../page-script/snapshot/meaning.ts'
import { addNames } from '../../page-script/snapshot/names.ts'
import { addRecords, addRuns } from '../../page-script/snapshot/records.ts'
import { addRefs } from '../../page-script/snapshot/refs.ts'
import { addRank, addSearch } from '../../page-script/snapshot/search.ts'
import { addSpots } from '../../page-script/snapshot/spots.ts'
import { addStates, addValues } from '../../page-script/snapshot/states.ts'
import { addTables } from '../../page-script/snapshot/tables.ts'
import { addShownText, addTexts } from '../../page-script/snapshot/text.ts'
import type { PageTools } from '../../page-script/snapshot/tools.ts'
import { addWalk } from '../../page-script/snapshot/walk.ts'
import type { LiveTab } from './live-tab.ts'
import { ActionError } from './types.ts'

const parts = [
  addTexts,
  addRefs,
  addRoles,
  addMeaning,
  addShownText,
  addNames,
  addStates,
  addValues,
  addWalk,
  addEnter,
  addNodes,
  addRuns,
  addContainers,
  addFrames,
  addTables,
  addRecords,
  addBlocks,
  addSearch,
  addRank,
  addSpots,
] as const
/** Runs in the page: makes the tools where there are none yet. */
const install = `() => {
  const made = { documentId: String(Math.random()), next: 1, sought: '', numbers: new WeakMap(), elements: new Map() };
  for (const add of [${parts.join(',\n')}]) add(made);
  globalThis.gossamerPage ??= made;
}`
const maxTries = 5

/**
 * Calls a function in the page with the tools that read it. Numbers of elements go on from page to page, so that a ref of an
 * earlier page never means something else in a later one.
 */
export async function inPage<A extends readonly unknown[], R>(
  { call, memory }: Pick<LiveTab, 'call' | 'memory'>,
  run: (tools: PageTools, ...args: A) => R,
  args: A,
  signal: AbortSignal,
): Promise<Awaited<R>> {
  const source = `async (first, ...args) => {
    const tools = globalThis.gossamerPage;
    if (!tools) return undefined;
    tools.next = Math.max(tools.next, first);
    const value = await (${run.toString()})(tools, ...args);
    return { value, next: tools.next };
  }`
  type Answer = { value: Awaited<R>; next: number } | undefined
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await call(sent<[number, ...A], Answer>(source), [memory.nextRef, ...args], signal)
    if (answer) {
      memory.nextRef = Math.max(memory.nextRef, answer.next)
      return answer.value
    }
    // Each document gets the tools once; it may leave before they are used.
    await call(sent<[], undefined>(install), [], signal)
  }
  throw new ActionError('The page keeps leaving for another one.')
}

/** A function is sent by its source text alone. */
const sent = <A extends readonly unknown[], R>(source: string) =>
  ({ toString: () => source }) as unknown as (...args: A) => R
