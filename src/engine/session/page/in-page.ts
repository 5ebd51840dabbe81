import { addBlocks } from '../../browser/in-page/snapshot-blocks.ts'
import { addContainers } from '../../browser/in-page/snapshot-containers.ts'
import { addEnter } from '../../browser/in-page/snapshot-enter.ts'
import { addFrames } from '../../browser/in-page/snapshot-frames.ts'
import { addMeaning } from '../../browser/in-page/snapshot-meaning.ts'
import { addNames } from '../../browser/in-page/snapshot-names.ts'
import { addNodes } from '../../browser/in-page/snapshot-nodes.ts'
import { addRank } from '../../browser/in-page/snapshot-rank.ts'
import { addRecords } from '../../browser/in-page/snapshot-records.ts'
import { addRefs } from '../../browser/in-page/snapshot-refs.ts'
import { addRoles } from '../../browser/in-page/snapshot-roles.ts'
import { addRuns } from '../../browser/in-page/snapshot-runs.ts'
import { addSearch } from '../../browser/in-page/snapshot-search.ts'
import { addSpots } from '../../browser/in-page/snapshot-spots.ts'
import { addStates } from '../../browser/in-page/snapshot-states.ts'
import { addTables } from '../../browser/in-page/snapshot-tables.ts'
import { addTexts } from '../../browser/in-page/snapshot-text.ts'
import { addShownText } from '../../browser/in-page/snapshot-texts.ts'
import { addValues } from '../../browser/in-page/snapshot-values.ts'
import { addWalk } from '../../browser/in-page/snapshot-walk.ts'
import type { PageTools } from '../../browser/in-page/snapshot-tools.ts'
import type { LiveTab } from './live-tab.ts'
import { ActError } from './types.ts'

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
  throw new ActError('The page keeps leaving for another one.')
}

/** A function is sent by its source text alone. */
const sent = <A extends readonly unknown[], R>(source: string) =>
  ({ toString: () => source }) as unknown as (...args: A) => R
