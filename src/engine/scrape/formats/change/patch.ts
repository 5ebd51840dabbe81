import { matches } from './matches.ts'

/** A line of a diff as parse-diff tells it: `content` begins with its sign, line numbers count from 1. */
type Line =
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'add'; add: true; ln: number; content: string }
type Chunk = {
  content: string
  changes: Line[]
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
}
type Patch = {
  /** A unified diff without file headers. */
  text: string
  json: { files: { from: null; to: null; additions: number; deletions: number; chunks: Chunk[] }[] }
}

const contextLines = 3

/** What turns one text into another, line by line, at most as long as both; both are taken to end with a line end. */
export async function patchOf(before: string, after: string): Promise<Patch> {
  const [old, now] = [linesOf(before), linesOf(after)]
  const blocks = await changedBlocks(old, now)
  const chunks = hunksOf(blocks).map((hunk) => chunkOf(old, now, hunk))
  const lines = chunks.flatMap(({ content, changes }) => [content, ...changes.map((change) => change.content)])
  const count = (from: 'oldFrom' | 'newFrom', to: 'oldTo' | 'newTo') =>
    blocks.reduce((sum, block) => sum + block[to] - block[from], 0)
  const file = { additions: count('newFrom', 'newTo'), deletions: count('oldFrom', 'oldTo'), chunks }
  return {
    text: lines.map((line) => `${line}\n`).join(''),
    json: { files: chunks.length === 0 ? [] : [{ from: null, to: null, ...file }] },
  }
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** Blocks whose context would meet belong together. */
function hunksOf(blocks: readonly Block[]): Block[][] {
  const hunks: Block[][] = []
  for (const block of blocks) {
    const last = hunks.at(-1)
    if (last && block.oldFrom - last.at(-1)!.oldTo <= 2 * contextLines) last.push(block)
    else hunks.push([block])
  }
  return hunks
}

function chunkOf(old: readonly string[], now: readonly string[], hunk: readonly Block[]): Chunk {
  const [first, last] = [hunk[0]!, hunk.at(-1)!]
  const before = Math.min(contextLines, first.oldFrom)
  const after = Math.min(contextLines, old.length - last.oldTo)
  const [oldFrom, newFrom] = [first.oldFrom - before, first.newFrom - before]
  const [oldLines, newLines] = [last.oldTo + after - oldFrom, last.newTo + after - newFrom]
  // A side without lines is counted from the line before (POSIX diff, unified format).
  const [oldStart, newStart] = [oldFrom + (oldLines > 0 ? 1 : 0), newFrom + (newLines > 0 ? 1 : 0)]
  const content = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
  const changes = changesOf(old, now, hunk, { oldFrom, oldTo: oldFrom + oldLines, newFrom, newTo: newFrom + newLines })
  return { content, changes, oldStart, oldLines, newStart, newLines }
}

function changesOf(old: readonly string[], now: readonly string[], hunk: readonly Block[], whole: Block): Line[] {
  const changes: Line[] = []
  let [oldAt, newAt] = [whole.oldFrom, whole.newFrom]
  const sameUpTo = (oldTo: number) => {
    for (; oldAt < oldTo; oldAt += 1, newAt += 1)
      changes.push({ type: 'normal', normal: true, ln1: oldAt + 1, ln2: newAt + 1, content: ` ${old[oldAt]}` })
  }
  for (const { oldFrom, oldTo, newTo } of hunk) {
    sameUpTo(oldFrom)
    for (; oldAt < oldTo; oldAt += 1) changes.push({ type: 'del', del: true, ln: oldAt + 1, content: `-${old[oldAt]}` })
    for (; newAt < newTo; newAt += 1) changes.push({ type: 'add', add: true, ln: newAt + 1, content: `+${now[newAt]}` })
  }
  sameUpTo(whole.oldTo)
  return changes
}

/** Lines `oldFrom` up to `oldTo` (not included, counted from 0) became lines `newFrom` up to `newTo`. */
type Block = { oldFrom: number; oldTo: number; newFrom: number; newTo: number }

/** The blocks of lines that differ, in order; not always the fewest. */
export async function changedBlocks(old: readonly string[], now: readonly string[]): Promise<Block[]> {
  const { diffArrays } = await import('diff')
  const [oldPlaces, newPlaces] = [sharedPlaces(old, now), sharedPlaces(now, old)]
  const numberOf = numbering()
  const numbers = (lines: readonly string[], lineNumbers: readonly number[]) =>
    lineNumbers.map((at) => numberOf(lines[at]!))
  const found = await matches(diffArrays, numbers(old, oldPlaces), numbers(now, newPlaces))
  const blocks: Block[] = []
  let [oldFrom, newFrom] = [0, 0]
  const equalAt = (oldTo: number, newTo: number) => {
    if (oldTo > oldFrom || newTo > newFrom) blocks.push({ oldFrom, oldTo, newFrom, newTo })
    oldFrom = oldTo + 1
    newFrom = newTo + 1
  }
  for (const { oldAt, newAt, count } of found)
    for (let nth = 0; nth < count; nth += 1) equalAt(oldPlaces[oldAt + nth]!, newPlaces[newAt + nth]!)
  equalAt(old.length, now.length)
  return blocks
}

/** A line that the other text lacks equals nothing there, so the search need not see it. */
function sharedPlaces(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others)
  return lines.flatMap((line, at) => (known.has(line) ? at : []))
}

/** Numbers compare faster than texts. */
function numbering(): (line: string) => number {
  const numbers = new Map<string, number>()
  return (line) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
}
