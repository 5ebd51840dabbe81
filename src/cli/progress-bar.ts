import { counted, durationText } from '../util/amounts.ts'
import type { Terminal } from './terminal-io.ts'

type ProgressState = {
  done: number
  total: number
  failed: number
  /** Pages found but not yet read; absent if not shown. */
  waiting?: number | undefined
  /** Moving average, undefined until there are enough samples. */
  pagesPerSecond: number | undefined
  etaMs: number | undefined
}

const barWidth = { least: 10, most: 40 }

/**
 * Formats one line of at most `width` columns: plain ASCII without colours, because the width of block characters
 * depends on the terminal. Fields that do not fit are omitted, the least important first.
 */
export function render(state: ProgressState, width: number): string {
  const facts = factsOf(state)
  const text = facts.join('  ')
  const room = width - text.length - '[]  '.length
  if (room >= barWidth.least) return `[${bar(state, Math.min(room, barWidth.most))}]  ${text}`
  const fitting = facts.findLast((_, index) => lengthOf(facts.slice(0, index + 1)) <= width)
  return facts
    .slice(0, fitting === undefined ? 1 : facts.indexOf(fitting) + 1)
    .join('  ')
    .slice(0, Math.max(width, 0))
}

/** Formats one line for output that is not a terminal, such as a log. */
const plainLine = (state: ProgressState) => `${factsOf(state).join('  ')}\n`

function factsOf({ done, total, failed, waiting, pagesPerSecond, etaMs }: ProgressState): string[] {
  return [
    `${done}/${Math.max(done, total)} pages`,
    ...(waiting === undefined ? [] : [`${waiting} waiting`]),
    ...(failed > 0 ? [counted(failed, 'error')] : []),
    ...(pagesPerSecond === undefined ? [] : [`${pagesPerSecond.toFixed(pagesPerSecond < 10 ? 1 : 0)} pages/s`]),
    ...(etaMs === undefined ? [] : [`ETA ${durationText(etaMs)}`]),
  ]
}

const lengthOf = (facts: readonly string[]) => facts.join('  ').length

function bar({ done, total, failed }: ProgressState, width: number): string {
  const share = total > 0 ? Math.min((done + failed) / total, 1) : 0
  return '#'.repeat(Math.floor(share * width)).padEnd(width, '.')
}

type Counts = { done: number; total: number; failed: number; waiting?: number | undefined }
type Sample = { at: number; count: number }
const averagedMs = 30_000

/** Adds a sample for the average. Keeps those of the last half minute, and the one before them. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const first = samples.findLastIndex(({ at }) => at <= sample.at - averagedMs)
  return [...samples.slice(Math.max(first, 0)), sample]
}

export function stateOf({ done, total, failed, waiting }: Counts, samples: readonly Sample[]): ProgressState {
  const [first, last] = [samples[0], samples.at(-1)]
  const passedMs = first && last ? last.at - first.at : 0
  const pagesPerSecond = first && last && passedMs > 0 ? ((last.count - first.count) * 1000) / passedMs : undefined
  const left = Math.max(total - done - failed, 0)
  const etaMs = pagesPerSecond !== undefined && pagesPerSecond > 0 ? (left / pagesPerSecond) * 1000 : undefined
  return { done, total, failed, waiting, pagesPerSecond, etaMs }
}

export type Progress = {
  update(counts: Counts): void
  /** Clears the line for other output; the next update draws again. */
  clear(): void
}
export type Screen = {
  write(text: string): void
  isTerminal: boolean
  columns(): number
  now(): number
}

/** Returns the screen that shows progress: stderr. */
export const screenOf = ({ err }: Pick<Terminal, 'err'>, { stderr } = process): Screen => ({
  write: err,
  isTerminal: stderr.isTTY === true,
  columns: () => stderr.columns || 80,
  now: Date.now,
})

const redrawMs = 100
const plainMs = 10_000

/**
 * Creates a progress display: redrawn at most ten times a second on a terminal, elsewhere at most a line in ten
 * seconds.
 */
export function createProgress({ write, isTerminal, columns, now }: Screen): Progress {
  let samples: readonly Sample[] = []
  let drawn = 0
  let shownAt = isTerminal ? -Infinity : now()
  const clear = () => {
    if (drawn > 0) write(`${' '.repeat(drawn)}\r`)
    drawn = 0
  }
  const draw = (state: ProgressState) => {
    // The last column stays free, because some terminals wrap there. The cursor returns to the start, so a log line
    // in between overwrites the bar instead of following it.
    const line = render(state, columns() - 1)
    write(`${line.padEnd(drawn)}\r`)
    drawn = line.length
  }
  return {
    update: (counts) => {
      samples = withSample(samples, { at: now(), count: counts.done + counts.failed })
      if (now() - shownAt < (isTerminal ? redrawMs : plainMs)) return
      shownAt = now()
      const state = stateOf(counts, samples)
      if (isTerminal) draw(state)
      else write(plainLine(state))
    },
    clear,
  }
}
