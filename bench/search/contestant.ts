import { stopWords } from '../../src/util/words.ts'
import type { Page } from './collection.ts'

export type Contestant = {
  /** What comes before the index is built and is not its cost. */
  prepare(pages: readonly Page[]): Promise<void>
  build(pages: readonly Page[]): Promise<void>
  /** Numbers of the pages, best first. */
  search(text: string, limit: number): Promise<number[]>
  /** Of the index on disk; 0 where it is in memory. */
  bytes(): Promise<number>
  end(): Promise<void>
}
export const contestantNames = ['gossamer', 'minisearch', 'minisearch-tuned', 'orama'] as const
export type ContestantName = (typeof contestantNames)[number]

/** Words that the peers leave out when they are set up with care: the same as ours. */
export const leftOut = [...stopWords]
