/** The WHATWG name behind a label such as "latin1"; undefined if there is none. */
export function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined || label === '') return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
