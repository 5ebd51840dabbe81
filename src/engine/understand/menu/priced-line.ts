import { plainLine } from '../../../util/plain-markdown.ts'

/** What a line of a menu says: a dish with its price, a price alone, or words. */
export type MenuLine =
  | ({ kind: 'dish' } & WrittenDish)
  | { kind: 'price'; price: string }
  | { kind: 'text'; text: string }
  | { kind: 'row' }

/** A dish in the words of the page. */
export type WrittenDish = { name: string; description?: string | undefined; price: string }

const sign = String.raw`(?:[A-Z]{0,2}[$€£¥₹₩₽₺₪฿₱₫]|(?:CHF|EUR|USD|GBP|Fr\.|Rs\.?|kr\.?)(?=[\s\d]))`
const unit = String.raw`(?:[€£$₽₺₹₫¥円元원]|(?:kr\.?|zł|Kč|Ft|lei|CHF|EUR|USD|GBP|SEK|NOK|DKK)(?![\p{L}\d]))`
const amount = String.raw`\d{1,6}(?:[.,]\d{1,3}){0,2}`
/** An amount with its currency, or one with two decimals, as menus write prices. */
const money = new RegExp(
  String.raw`${sign}\s?${amount}(?:[.,][-–])?|(?<![\d.,:/])${amount}\s?${unit}|(?<![\d.,:/-])\d{1,3}[.,]\d{2}(?![\d.,:/%])`,
  'gu',
)

const maxName = 100
const maxText = 120
/** A longer line is no item of a list. */
const maxLine = 800
/** Hours, such as 11.30–22.00. */
const hours = /\d[.:]\d\d\s*(?:h|uhr)?\s*(?:[-–—aà]|to|bis)\s*\d{1,2}[.:]\d\d/i
/** Words that a sentence has before a price, and the name of no dish has at its end. */
const openEnd = /(?:^|\s)(?:for|at|of|from|only|to|over|under|per|für|ab|von|nur|de|à|por|da|just|is|are)$/i

export function menuLine(source: string): MenuLine {
  if (/^\s*\|.*\|\s*$/.test(source)) return rowLine(source)
  const text = plainLine(source)
  const prices = source.length > maxLine || hours.test(text) ? [] : pricesAtEnd(text)
  const [first] = prices
  if (!first) return { kind: 'text', text }
  const front = withoutLeader(text.slice(0, first.index))
  if (!/\p{L}/u.test(front)) return { kind: 'price', price: first[0] }
  return namedDish(front, first[0], boldStart(source)) ?? { kind: 'text', text }
}

/** The prices that end a line: one, or those of several sizes. */
function pricesAtEnd(text: string): RegExpExecArray[] {
  const all = [...text.matchAll(money)]
  const found: RegExpExecArray[] = []
  let end = text.length
  for (const price of all.toReversed()) {
    const gap = text.slice(price.index + price[0].length, end)
    const isNear =
      found.length === 0 ? /^[\s)\]*|]*$/.test(gap) : /^\s*[\p{L}\d ,]{0,12}\s*[/|·,–-]?[\p{L} ]{0,12}\s*$/u.test(gap)
    if (!isNear) break
    found.unshift(price)
    end = price.index
  }
  return found
}

const withoutLeader = (text: string) => text.replace(/[\s.…·•_\-–—:|,(/]+$/, '').trim()

/** The words in bold that a line begins with. */
const boldStart = (source: string) => {
  const [, bold] = /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(source) ?? []
  return bold === undefined ? undefined : plainLine(bold)
}

function namedDish(front: string, price: string, bold: string | undefined): MenuLine | undefined {
  const isBold = bold !== undefined && front.startsWith(bold) && /\p{L}/u.test(bold)
  const [, before = front, after] = /^(.{2,}?)\s*(?:\s[–—-]\s|:\s)\s*(.+)$/.exec(front) ?? []
  const name = withoutLeader(isBold ? bold : before)
  const rest = isBold ? front.slice(bold.length).replace(/^[\s.,:–—-]+/, '') : after
  if (name.length > maxName || openEnd.test(front)) return undefined
  if (!rest && front.length > maxText) return undefined
  return { kind: 'dish', name, price, ...(rest && { description: rest }) }
}

/** A row of a table: the first cell with words is the name, the first that is a price the price. */
function rowLine(source: string): MenuLine {
  const cells = source
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => menuLine(cell))
  const [price] = cells.flatMap((cell) => (cell.kind === 'price' ? [cell.price] : []))
  const texts = cells.flatMap((cell) => (cell.kind === 'text' && /\p{L}/u.test(cell.text) ? [cell.text] : []))
  const [dish] = cells.filter((cell) => cell.kind === 'dish')
  const [name, description] = texts
  if (price === undefined || name === undefined) return dish ?? { kind: 'row' }
  return { kind: 'dish', name: name.slice(0, maxName), price, ...(description && { description }) }
}
