/** Lengths and positions are in UTF-16 units, as everywhere in JavaScript. */

/** The share of the room in which a good place to cut is looked for. */
const searchShare = 0.25
/** Best place first: before a heading, after a paragraph, a line, a sentence, a word. */
const breaks = [/\n(?=#{1,6} )/g, /\n\n/g, /\n/g, /[.!?] |[。！？]/g, / /g]

/**
 * Where a piece of `text` that starts at `from` and may be `room` long had best end: at a boundary near the limit,
 * never inside a surrogate pair, and rather before a code fence than in it. Always after `from` when text is left.
 */
export function cutEnd(text: string, from: number, room: number): number {
  const limit = from + Math.max(room, 2)
  if (limit >= text.length) return text.length
  const earliest = limit - Math.floor((limit - from) * searchShare)
  const end = earliest + (lastBreak(text.slice(earliest, limit)) ?? limit - earliest)
  const fence = openFence(text, end)
  if (fence && fence.start > from + room / 2) return fence.start
  return offPair(text, end)
}

/** The same place or one earlier, so that it does not lie inside a surrogate pair. */
export function offPair(text: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
  return isInside ? at - 1 : at
}

/** A piece of `text` that reads well alone: code that is open at its ends is opened and closed around it. */
export function standalone(text: string, from: number, end: number): string {
  const before = openFence(text, from)
  const after = openFence(text, end)
  const piece = text.slice(from, end)
  const opening = before ? `${before.line}\n` : ''
  const closing = after ? `${piece.endsWith('\n') ? '' : '\n'}${after.mark}` : ''
  return `${opening}${piece}${closing}`
}

type Fence = { start: number; mark: string; line: string }

/** The fenced code block that is open at a position. Rules: CommonMark 0.31.2, section 4.5. */
export function openFence(text: string, at: number): Fence | undefined {
  let open: Fence | undefined
  for (const found of fenceLines(text.slice(0, at))) {
    const [line, mark = '', info = ''] = found
    if (!open && !(mark.startsWith('`') && info.includes('`'))) open = { start: found.index, mark, line }
    else if (open && mark.startsWith(open.mark) && info.trim() === '') open = undefined
  }
  return open
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/my

/** Jumps from mark to mark: trying each line of a long text takes ten times as long. */
function* fenceLines(text: string): Generator<RegExpExecArray> {
  const next = { '```': -1, '~~~': -1 }
  for (let from = 0; ;) {
    for (const mark of ['```', '~~~'] as const)
      if (next[mark] < from) next[mark] = orEnd(text.indexOf(mark, from), text)
    const at = Math.min(next['```'], next['~~~'])
    if (at === text.length) return
    fenceLine.lastIndex = at - (/ {1,3}$/.exec(text.slice(Math.max(0, at - 3), at))?.[0].length ?? 0)
    const found = fenceLine.exec(text)
    if (found) yield found
    from = found ? found.index + found[0].length : at + 1
  }
}

const orEnd = (at: number, text: string) => (at === -1 ? text.length : at)

function lastBreak(text: string): number | undefined {
  for (const pattern of breaks) {
    const last = [...text.matchAll(pattern)].at(-1)
    if (last) return last.index + last[0].length
  }
  return undefined
}
