/** Where a block stands: `first` goes before its first line, `rest` before all others. */
type Container = { first: string; rest: string; isBegun: boolean }

/** Writes blocks one below the other, inside quotes and list items. */
export type Blocks = {
  add(block: string): void
  /** How the next block is set apart from the one before; a blank line unless said. */
  setGap(gap: 'line' | 'blank'): void
  enter(first: string, rest: string): void
  leave(): void
  /** True where the open container has no block yet. */
  readonly isAtStart: () => boolean
  readonly depth: () => number
  whole(): string
}

export function createBlocks(): Blocks {
  const out: string[] = []
  const containers: Container[] = []
  let gap: 'line' | 'blank' = 'blank'

  const gapText = () => {
    if (out.length === 0) return ''
    return gap === 'line'
      ? '\n'
      : `\n${containers
          .map(({ isBegun, rest }) => (isBegun ? rest : ''))
          .join('')
          .trimEnd()}\n`
  }

  return {
    add(block) {
      const before = gapText()
      const first = containers.map((container) => (container.isBegun ? container.rest : container.first)).join('')
      const rest = containers.map((container) => container.rest).join('')
      const lines = block
        .split('\n')
        .map((line, index) => (index === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
      out.push(before, lines.join('\n'))
      for (const container of containers) container.isBegun = true
      gap = 'blank'
    },
    setGap: (wanted) => {
      gap = wanted
    },
    enter: (first, rest) => void containers.push({ first, rest, isBegun: false }),
    leave: () => void containers.pop(),
    isAtStart: () => containers.at(-1)?.isBegun === false,
    depth: () => containers.length,
    whole: () => out.join(''),
  }
}
