/**
 * The text as it is compared and kept: Unicode NFC, no whitespace at the end of a line or of the text. Nothing else is
 * evened out, so that 12 and 21 differ. Half of a surrogate pair would not survive the store, so it becomes U+FFFD.
 */
export function comparable(markdown: string): string {
  // Line by line, because a pattern for whitespace before a line end takes quadratic time on a long run of spaces.
  const lines = markdown.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd().toWellFormed().normalize('NFC')
}
