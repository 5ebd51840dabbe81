import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'

/** One core is left to the callers. More lanes than this gain little: they wait for each other's writes. */
const usualLanes = (): number => Math.min(4, Math.max(1, availableParallelism() - 1))

type LaneSettings = Pick<Config, 'crawlLanes' | 'crawlServerConcurrency'>

/** How many lanes there are, and how many pages each works on at the same time: no lane is without one. */
export function lanesFor({ crawlLanes, crawlServerConcurrency }: LaneSettings) {
  const many = Math.min(crawlLanes ?? usualLanes(), crawlServerConcurrency ?? Infinity)
  return { many, pagesAtOnce: crawlServerConcurrency && Math.floor(crawlServerConcurrency / many) }
}
