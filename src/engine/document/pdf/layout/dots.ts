import type { Box } from '../marks/geometry.ts'
import type { Word } from '../text/words.ts'

/** Words with a bullet before each line that a small drawn shape stands before; other shapes are no text. */
export function withDots(words: readonly Word[], dots: readonly Box[]): readonly Word[] {
  if (dots.length === 0) return words
  const rows = Map.groupBy(words, ({ baseline }) => Math.round(baseline / rowHeight))
  const bullets = dots.flatMap((dot) => {
    const row = Math.round(dot.bottom / rowHeight)
    const near = [row - 1, row, row + 1].flatMap((key) => rows.get(key) ?? []).filter((word) => isLevelWith(word, dot))
    const next = near.filter(({ left }) => left >= dot.right).sort((one, other) => one.left - other.left)[0]
    const isFirst =
      next &&
      next.left - dot.right < next.size * 2 &&
      !near.some((word) => word.left < dot.left && dot.left - word.right < word.size * 1.5)
    return next && isFirst ? [bulletBefore(next, dot)] : []
  })
  return bullets.length > 0 ? [...bullets, ...words] : words
}

const rowHeight = 8

/** Marks stand in the middle of small letters. */
function isLevelWith({ baseline, size }: Word, { top, bottom }: Box): boolean {
  const middle = (top + bottom) / 2
  return middle < baseline - size * 0.1 && middle > baseline - size * 0.6 && bottom - top < size * 0.6
}

const bulletBefore = (word: Word, { left, right }: Box): Word => ({
  ...word,
  text: '•',
  drawn: ['•'],
  left,
  right,
  href: undefined,
  isSpaced: false,
})
