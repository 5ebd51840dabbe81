/** The text of the block being written, as pieces, so that no step costs more than what it adds. */
export type Paragraph = {
  /** Collapsed, escaped text. */
  text(words: string): void
  /** Something that is markdown already. */
  add(piece: string): void
  breakLine(piece: string): void
  /** Opens a mark that `close` wraps around what came since. */
  open(mark: Mark): void
  close(): void
  /** Ends the paragraph; marks that are open go on in the next one. */
  take(): string
  readonly isInside: (name: Mark['name']) => boolean
}

/** `wrap` gets the text without the white space around it, and the character before. */
export type Mark = {
  name: 'strong' | 'emphasis' | 'deleted' | 'link' | 'power'
  wrap(inner: string, before: string): string
}

type OpenMark = Mark & { from: number }

export function createParagraph(): Paragraph {
  let pieces: string[] = []
  let marks: OpenMark[] = []
  const lastCharacter = () => pieces.at(-1)?.at(-1) ?? ''
  const add = (piece: string) => {
    if (piece !== '') pieces.push(piece)
  }

  const wrapLast = ({ from, wrap }: OpenMark) => {
    const inner = pieces.splice(from).join('')
    const core = inner.trim()
    if (core === '') return add(inner)
    const start = inner.indexOf(core)
    add(inner.slice(0, start))
    add(wrap(core, lastCharacter()))
    add(inner.slice(start + core.length))
  }

  return {
    text(words) {
      const last = lastCharacter()
      add(last === '' || last === ' ' || last === '\n' ? words.replace(/^ /, '') : words)
    },
    add,
    breakLine(piece) {
      const last = pieces.pop()?.replace(/ +$/, '')
      if (last === undefined) return
      add(last)
      add(piece)
    },
    open: (mark) => void marks.push({ ...mark, from: pieces.length }),
    close() {
      const mark = marks.pop()
      if (mark) wrapLast(mark)
    },
    take() {
      for (const mark of marks.toReversed()) wrapLast(mark)
      marks = marks.map((mark) => ({ ...mark, from: 0 }))
      const whole = pieces.join('').trim()
      pieces = []
      return whole
    },
    isInside: (name) => marks.some((mark) => mark.name === name),
  }
}
