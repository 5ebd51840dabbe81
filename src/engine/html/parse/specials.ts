const marks = new Set([...'\n&>*_`[]\\|~\xA0\uFEFF'].map((mark) => mark.charCodeAt(0)))

/** The place of the special character that is one too many; the length of the text when there is none. */
export function endOfSpecials(text: string, most: number): number {
  let left = most
  if (text.length <= most) return text.length
  for (let at = 0; at < text.length; at++) if (isSpecial(text.charCodeAt(at)) && left-- === 0) return at
  return text.length
}

/** Marks of markdown and HTML, and the blocks of joiners, selectors, separators and tags that show nothing. */
function isSpecial(code: number): boolean {
  if (code < 0x2000) return code < 0xa1 && marks.has(code)
  return code < 0x2070 || (code >= 0xfe00 && code < 0xfe10) || code === 0xfeff || code === 0xdb40
}
