import { stopWords } from '../../src/util/words.ts'
import type { Page } from './collection.ts'

export type Contestant = {
  /** Preparation that is not part of the cost of the index. */
  prepare(pages: readonly Page[]): Promise<void>
  build(pages: readonly Page[]): Promise<void>
  /** Numbers of the pages, best first. */
  search(text: string, limit: number): Promise<number[]>
  /** Size of the index on disk; 0 if it is in memory. */
  bytes(): Promise<number>
  end(): Promise<void>
}
export const contestantNames = ['gossamer', 'minisearch', 'minisearch-tuned', 'orama'] as const
export type ContestantName = (typeof contestantNames)[number]

/** Stop words of the tuned peers: the same as ours. */
export const leftOut = [...stopWords]
