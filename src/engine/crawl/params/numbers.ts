const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  single: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
}
const scales: Readonly<Record<string, number>> = { half: 0.5, dozen: 12, hundred: 100, thousand: 1000, k: 1000 }

/** A number in figures or words, as the source of a regular expression without groups that count. */
export const numeral = String.raw`(?:\d{1,3}(?:[,.]\d{3})+|\d{1,9}(?:\.\d{1,3})?|(?:${Object.keys(words).join('|')}|half)\b)(?:\s?k\b|\s(?:hundred|thousand|dozen)\b)?`

/** The value of what `numeral` found. */
export function valueOf(text: string): number {
  const lower = text.toLowerCase().trim()
  const [, scale] = /(k|hundred|thousand|dozen)$/.exec(lower) ?? []
  const head = (scale ? lower.slice(0, -scale.length) : lower).trim()
  const plain = /^\d{1,3}(?:[,.]\d{3})+$/.test(head) ? head.replace(/[,.]/g, '') : head
  return (words[plain] ?? scales[plain] ?? Number(plain)) * (scale ? (scales[scale] ?? 1) : 1)
}
