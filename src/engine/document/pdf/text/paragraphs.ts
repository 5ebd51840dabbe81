import type { TextLine } from './lines.ts'
import type { Word } from './words.ts'

/** Distance of baselines within paragraphs: that of the closest quarter of the lines, since gaps between paragraphs are wider. */
export function pitchOf(lines: readonly TextLine[]): number {
  const gaps = lines
    .slice(1)
    .map((line, index) => ({ line, before: lines[index]! }))
    .filter(
      ({ line, before }) => Math.abs(line.size - before.size) < 1 && line.baseline - before.baseline > line.size * 0.8,
    )
    .map(({ line, before }) => line.baseline - before.baseline)
    .sort((one, other) => one - other)
  return gaps[Math.floor(gaps.length / 4)] ?? (lines[0]?.size ?? 12) * 1.35
}

const isBold = ({ font }: Word) => font.weight === 'bold'
const hasLetters = ({ text }: Word) => /[\p{L}\p{N}]/u.test(text)

export const isAllBold = ({ words }: TextLine): boolean =>
  words.some(hasLetters) && words.every((word) => isBold(word) || !hasLetters(word))

export function isCodeLine({ words }: TextLine, typewriter: 'code' | 'text'): boolean {
  const isAll = words.every(({ font, href }) => font.pitch === 'fixed' && href === undefined)
  return typewriter === 'code' && isAll && words.some(({ isTyped }) => isTyped)
}

export const hasLeaders = ({ words }: TextLine): boolean =>
  /(?:\. ?){5,}|…{2,}/.test(words.map(({ text }) => text).join(' '))

type Setting = { pitch: number; left: number; right: number }

/** Whether a line begins a new paragraph after the lines of the one before it. */
export function endsParagraph(lines: readonly TextLine[], line: TextLine, setting: Setting): boolean {
  const last = lines.at(-1)!
  const gap = line.baseline - last.baseline
  return (
    Math.abs(line.size - last.size) > Math.max(0.6, last.size * 0.06) ||
    gap <= 0 ||
    gap > Math.max(expectedPitch(lines, setting.pitch), line.size) * 1.22 ||
    changesWeight(last, line) ||
    isIndented(lines, line) ||
    isLeftShort(last, line, gap, setting) ||
    hasLeaders(last)
  )
}

/** Within a paragraph that has begun its own pitch counts, within reason: headings and notes are set at other pitches. */
function expectedPitch(lines: readonly TextLine[], pitch: number): number {
  const [first, second] = lines
  const last = lines.at(-1)!
  if (first && second) return second.baseline - first.baseline
  return Math.min(Math.max(pitch, last.size * 1.15), last.size * 2.6)
}

function changesWeight(last: TextLine, line: TextLine): boolean {
  const [end, start] = [last.words.at(-1), line.words[0]]
  if (!end || !start || isBold(end) === isBold(start)) return false
  return isAllBold(last) || isAllBold(line)
}

function isIndented(lines: readonly TextLine[], line: TextLine): boolean {
  const left = Math.min(...lines.slice(-3).map((other) => other.left))
  const isCentred = lines.some((other) => Math.abs(other.left + other.right - line.left - line.right) < 6)
  if (isCentred) return false
  if (line.left > left + line.size * 0.8) return true
  // The first line may stand further in or out than the others; after them the margin holds.
  return lines.length > 1 && line.left < left - line.size * 0.8
}

/** The last line had room for the next word, so its end was meant. */
function isLeftShort(last: TextLine, line: TextLine, gap: number, { left, right, pitch }: Setting): boolean {
  const width = right - left
  const first = line.words[0]
  const room = right - last.right - (first ? first.right - first.left : 0)
  const text = last.words.at(-1)?.text ?? ''
  if (room > width * 0.5) return true
  if (room > width * 0.2 && gap > Math.max(pitch * 1.1, line.size * 1.5)) return true
  return room > width * 0.08 && /[.!?:…。！？]["”’)]?$/.test(text)
}
