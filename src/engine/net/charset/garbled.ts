/** Bytes that fit no character of the charset. */
const lost = /\uFFFD/g
/** Letters and marks of UTF-8 as they look when its bytes were read as windows-1252, mostly before the page was made. */
const twice = /Ã[\u00A0-\u00BC\u0192\u201C\u20AC\u2030]|â€[\u0153\u009D\u02DC\u2122\u201C\u201D\u00A2\u00A6]/g
/** A few stand in good pages, cut out of longer texts or spoken of; a page of megabytes may quote more. */
const [few, share] = [3, 1 / 20_000]

/** What to say of a text whose characters were garbled; undefined for one that is in order. */
export function garbledText(text: string): string | undefined {
  const least = Math.max(few, text.length * share)
  const lostCount = countOf(text, lost)
  if (lostCount >= least)
    return `${lostCount} characters of the page are lost (U+FFFD): its bytes do not fit the charset that it declares.`
  return countOf(text, twice) >= least
    ? 'Letters of the page are garbled (such as Ã© for é): its text was encoded twice before it was sent.'
    : undefined
}

function countOf(text: string, pattern: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(pattern)) found += 1
  return found
}
