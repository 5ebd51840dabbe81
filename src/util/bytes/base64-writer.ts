/** Decodes base64 that comes in pieces, as Buffer does the whole: it ends at the first `=`, and what is not base64 is left out. */
export type Base64Writer = {
  write(text: string): void
  /** How many bytes it came to. */
  end(): number
}

/**
 * Writes to the beginning of `target`, which may be where the text itself stands: four characters become three bytes, so that
 * what was not read yet is never reached.
 */
export function base64Writer(target: Buffer): Base64Writer {
  let [at, open, hasEnded] = [0, '', false]
  return {
    write(text) {
      if (hasEnded) return
      const padding = text.indexOf('=')
      hasEnded = padding !== -1
      const letters = open + (hasEnded ? text.slice(0, padding) : text).replace(/[^\w+/-]+/g, '')
      const whole = letters.length - (letters.length % 4)
      at += target.write(letters.slice(0, whole), at, 'base64')
      open = letters.slice(whole)
    },
    end() {
      at += target.write(open, at, 'base64')
      open = ''
      return at
    },
  }
}

/** The bytes that Buffer expects of a text in base64, whatever it then makes of it. */
export function expectedBytes(length: number, end: string): number {
  const padding = /={0,2}$/.exec(end.slice(-2))?.[0].length ?? 0
  return Math.floor(((length - padding) * 3) / 4)
}
