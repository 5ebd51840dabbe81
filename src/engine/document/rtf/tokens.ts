export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  /** Bytes of text in the code page of the moment. */
  | { kind: 'text'; bytes: Uint8Array }

const [backslash, open, close, quote, space, minus] = [0x5c, 0x7b, 0x7d, 0x27, 0x20, 0x2d]
const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isBreak = (code: number) => code === 0x0a || code === 0x0d || code === 0
const maxWord = 32
const maxDigits = 10

/** Splits RTF 1.9.1 into groups, control words and text; symbols are words of one sign. Data after \bin is passed over. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0
  while (at < bytes.length) {
    const code = bytes[at] as number
    if (code === open || code === close) {
      yield { kind: code === open ? 'open' : 'close' }
      at++
    } else if (code === backslash) {
      const { token, next } = controlAt(bytes, at + 1)
      at = next
      if (token.kind === 'word' && token.name === 'bin') at += Math.max(0, token.value ?? 0)
      else yield token
    } else if (isBreak(code)) at++
    else {
      const start = at
      while (at < bytes.length && isText(bytes[at] as number)) at++
      yield { kind: 'text', bytes: bytes.subarray(start, at) }
    }
  }
}

const isText = (code: number) => code !== open && code !== close && code !== backslash && !isBreak(code)

function controlAt(bytes: Uint8Array, start: number): { token: RtfToken; next: number } {
  const code = bytes[start] ?? 0
  if (code === quote) {
    const hex = Number.parseInt(latin(bytes.subarray(start + 1, start + 3)), 16)
    return { token: { kind: 'text', bytes: Uint8Array.of(Number.isNaN(hex) ? 0x3f : hex) }, next: start + 3 }
  }
  if (!isLetter(code)) {
    const name = isBreak(code) ? 'par' : String.fromCharCode(code)
    return { token: { kind: 'word', name, value: undefined }, next: start + 1 }
  }
  const end = endOf(bytes, start, maxWord, isLetter)
  const digits = bytes[end] === minus ? end + 1 : end
  const last = endOf(bytes, digits, maxDigits, isDigit)
  const value = last > digits ? Number(latin(bytes.subarray(end, last))) : undefined
  const after = value === undefined ? end : last
  const name = latin(bytes.subarray(start, end))
  return { token: { kind: 'word', name, value }, next: bytes[after] === space ? after + 1 : after }
}

function endOf(bytes: Uint8Array, start: number, most: number, isIn: (code: number) => boolean): number {
  let end = start
  while (end - start < most && isIn(bytes[end] ?? 0)) end++
  return end
}

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)
