const opening = /^\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\])/
const closing = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]/
const aloneOnLine = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m
/** Longer than any opening tag with blanks before it. */
const maxOpening = 64
const maxClosing = 16

/** An answer without what the model thought aloud before it. Tags further on are part of the answer. */
export function withoutThinking(text: string): string {
  if (opening.test(text)) {
    const close = closing.exec(text)
    return close ? text.slice(close.index + close[0].length).trim() : ''
  }
  // Templates that begin the thinking themselves leave only its end in the answer, on a line of its own.
  const orphan = /[{[`]/.test(text.trimStart().charAt(0)) ? null : aloneOnLine.exec(text)
  return (orphan ? text.slice(orphan.index + orphan[0].length) : text).trim()
}

/** The same for text that comes in pieces. */
export type ThinkingFilter = {
  /** What of a piece may be shown by now. */
  show(chunk: string): string
  /** What was held back, once there is no more. */
  rest(): string
}

export function createThinkingFilter(): ThinkingFilter {
  let held = ''
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'
  const settle = (): typeof state => {
    if (state === 'start' && opening.test(held)) state = 'thinking'
    else if (state === 'start' && !mayBecomeOpening(held)) state = 'gap'
    const close = state === 'thinking' ? closing.exec(held) : null
    if (close) {
      held = held.slice(close.index + close[0].length)
      state = 'gap'
    }
    if (state === 'thinking') held = held.slice(-maxClosing)
    if (state === 'gap' && held.trim() !== '') state = 'answer'
    return state
  }
  return {
    show(chunk) {
      if (state === 'answer') return chunk
      held += chunk
      return settle() === 'answer' ? held.trimStart() : ''
    },
    rest: () => (state === 'start' ? held.trim() : ''),
  }
}

const mayBecomeOpening = (text: string): boolean => text.length < maxOpening && /^\s*(?:<[a-z]*|\[[A-Z]*)?$/.test(text)
