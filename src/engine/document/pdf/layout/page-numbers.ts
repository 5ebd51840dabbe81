/** The text of a line with its numbers taken out, so that lines which count pages have the same shape. */
export type NumberedText = {
  shape: string
  numbers: readonly number[]
  /** `page`: says that it is the number of a page. `count`: its numbers may be those of pages. `fixed`: they belong to the text. */
  kind: 'page' | 'count' | 'fixed'
  /** Nothing but numbers and words that go with the number of a page. */
  isBare: boolean
}

const pageWord =
  'pages?|pg|seite|página|pagina|pág|pag|strona|strana|str|sida|sid|side|sivu|sayfa|oldal|страница|стр|trang|halaman|[psс](?=\\.)'
const ofAll = '(?:\\s*(?:of|von|de|di|sur|van|av|af|ze?|из|/)\\s*#)?'
const namedPage = new RegExp(`(?<!\\p{L})(?:${pageWord})\\.?\\s*#${ofAll}|第?\\s*#\\s*[页頁쪽]|#\\s*ページ`, 'u')
const bareNumber = new RegExp(`^\\P{L}*(?:[a-z][-–.])?#${ofAll}\\P{L}*$`, 'u')
/** A number at an end of the line, set off from words. */
const separated = /^#\s*[|·•–—]|^#\s+-\s|[|·•–—]\s*#$|\s-\s+#$/
const atEnd = /^#\s|\s#$/

/** Pages before the first that is counted, at most, where nothing else says that a number counts pages. */
const maxFrontMatter = 20

/** Reads a line at the edge of a page. At the top of pages, "Question 3" is a heading; at the foot, "Report 3" is its page 3. */
export function numberedText(text: string, place: { edge: 'head' | 'foot'; page: number }): NumberedText {
  const plain = text.toLowerCase().trim()
  const [, roman] = /^\P{L}*?([ivxlc]+)\P{L}*$/u.exec(plain) ?? []
  if (roman !== undefined && !/\d/.test(plain))
    return { shape: '#', numbers: [romanNumber(roman)], kind: 'count', isBare: true }
  const numbers = (plain.match(/\d+/g) ?? []).map(Number)
  const shape = plain.replace(/\d+/g, '#')
  if (namedPage.test(shape)) {
    const isBare = !/[\p{L}\p{N}]/u.test(shape.replace(namedPage, ''))
    return { shape, numbers, kind: 'page', isBare }
  }
  const isBare = bareNumber.test(shape)
  const last = (shape.startsWith('#') ? numbers[0] : numbers.at(-1)) ?? Infinity
  const isFoot = place.edge === 'foot' && atEnd.test(shape) && Math.abs(last - place.page) <= maxFrontMatter
  return { shape, numbers, kind: isBare || isFoot || separated.test(shape) ? 'count' : 'fixed', isBare }
}

/** Whether the numbers of two lines of one shape are the same, or differ as the numbers of their pages do. */
export function countsAlong(text: NumberedText, numbers: readonly number[], apart: number): boolean {
  if (text.kind === 'page') return true
  return text.numbers.every((number, index) => {
    const by = number - (numbers[index] ?? NaN)
    // Two pages of a book on one sheet.
    return by === 0 || (text.kind === 'count' && (by === apart || by === apart * 2))
  })
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

export function romanNumber(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}
