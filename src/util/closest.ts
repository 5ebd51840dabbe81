/** Letters to add, drop, change or swap to get from one word to another. */
export function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const [above = 0, diagonal = 0, left = 0] = [last[column], last[column - 1], next[column - 1]]
      const plain = Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1))
      next.push(row > 1 && isSwap ? Math.min(plain, (before[column - 2] ?? 0) + 1) : plain)
    }
    before = last
    last = next
  }
  return last.at(-1) ?? 0
}

/** The word that was probably meant: the only one that begins so, or else the nearest one that is near enough. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const begun = candidates.filter((candidate) => typed.length > 1 && candidate.startsWith(typed))
  if (begun.length === 1) return begun[0]
  const most = Math.max(1, Math.floor(typed.length / 3))
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(typed, candidate) }))
    .filter(({ far }) => far <= most && far < typed.length)
  return near.toSorted((one, other) => one.far - other.far)[0]?.candidate
}

/** ` Did you mean X?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closest(word, candidates)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
