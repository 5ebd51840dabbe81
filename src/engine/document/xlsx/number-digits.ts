type Token = { kind: 'digit' | 'text' | 'point' | 'comma' | 'percent' | 'exponent' | 'slash'; text: string }

const pattern = /"([^"]*)"?|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|(E[+-]0+)|([0#?])|(\.)|(,)|(%)|(\/)|([^])/gi

const kinds = ['exponent', 'digit', 'point', 'comma', 'percent', 'slash'] as const

function tokensOf(section: string): Token[] {
  const tokens: Token[] = []
  for (const [, quoted, escaped, currency, ...rest] of section.matchAll(pattern)) {
    const text = quoted ?? escaped ?? currency ?? rest[kinds.length]
    const kind = kinds.find((_, i) => rest[i] !== undefined)
    if (text !== undefined) tokens.push({ kind: 'text', text })
    else if (kind) tokens.push({ kind, text: rest[kinds.indexOf(kind)]! })
  }
  return tokens
}

/** A number that is not negative by one section of a format code that has digits. */
export function formatDigits(value: number, section: string): string {
  const tokens = tokensOf(section)
  const percents = tokens.filter(({ kind }) => kind === 'percent').length
  const scaled = (value * 100 ** percents) / 1000 ** scalingCommas(tokens)
  if (tokens.some(({ kind }) => kind === 'slash')) return fraction(scaled, tokens)
  const exponent = tokens.find(({ kind }) => kind === 'exponent')
  const decimals = decimalTokens(tokens)
  if (!exponent) return fill(fixed(scaled, decimals.length), tokens, decimals)
  const [mantissa = '', power = '0'] = scaled.toExponential(decimals.length).split('e')
  const digits = power.replace(/^[+-]/, '').padStart(exponent.text.length - 2, '0')
  const sign = power.startsWith('-') ? '-' : exponent.text[1] === '+' ? '+' : ''
  return fill(mantissa, tokens, decimals).replace(exponent.text, `E${sign}${digits}`)
}

function decimalTokens(tokens: readonly Token[]): Token[] {
  const point = tokens.findIndex(({ kind }) => kind === 'point')
  const end = tokens.findIndex(({ kind }) => kind === 'exponent')
  const after = point < 0 ? [] : tokens.slice(point, end < 0 ? undefined : end)
  return after.filter(({ kind }) => kind === 'digit').slice(0, 30)
}

/** Commas right behind the last digit, or the last one before the point, divide by a thousand each. */
function scalingCommas(tokens: readonly Token[]): number {
  const point = tokens.findIndex(({ kind }) => kind === 'point')
  const ends = point < 0 ? [tokens] : [tokens.slice(0, point), tokens.slice(point)]
  return Math.min(
    4,
    ends.reduce((sum, part) => sum + commasAtEnd(part), 0),
  )
}

function commasAtEnd(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(({ kind }) => kind === 'digit')
  const after = tokens.slice(last + 1)
  const end = after.findIndex(({ kind }) => kind !== 'comma')
  return last < 0 ? 0 : end < 0 ? after.length : end
}

/** 1.005 is stored as a little less; spreadsheets round the decimal digits that they show. */
function fixed(value: number, decimals: number): string {
  const shifted = Math.round(Number(`${value.toPrecision(15)}e${decimals}`))
  const rounded = Number(`${shifted}e-${decimals}`)
  return (Number.isFinite(rounded) ? rounded : value).toFixed(decimals)
}

function fill(number: string, tokens: readonly Token[], decimals: readonly Token[]): string {
  const [whole = '0', part = ''] = number.split('.')
  const point = tokens.findIndex(({ kind }) => kind === 'point')
  const wholeTokens = point < 0 ? tokens : tokens.slice(0, point)
  const shownPart = trimOptional(part, decimals)
  const before = fillWhole(whole, wholeTokens)
  if (point < 0) return before.trim()
  let next = 0
  const after = tokens.slice(point + 1).map(({ kind, text }) => {
    if (kind === 'digit') return shownPart[next++] ?? ''
    return kind === 'comma' ? '' : text
  })
  return `${before}${shownPart === '' ? '' : '.'}${after.join('')}`.trim()
}

function trimOptional(part: string, decimals: readonly Token[]): string {
  let length = part.length
  while (length > 0 && part[length - 1] === '0' && decimals[length - 1]?.text !== '0') length--
  return part.slice(0, length)
}

function fillWhole(whole: string, tokens: readonly Token[]): string {
  const places = tokens.filter(({ kind }) => kind === 'digit')
  const least = places.length - places.findIndex(({ text }) => text === '0')
  const isShort = places.every(({ text }) => text !== '0')
  const digits = (whole === '0' && isShort ? '' : whole).padStart(isShort ? 0 : least, '0')
  const firstComma = tokens.findIndex(({ kind }) => kind === 'comma')
  const isGrouped = firstComma >= 0 && tokens.slice(firstComma).some(({ kind }) => kind === 'digit')
  if (isGrouped) return grouped(digits, tokens)
  let left = places.length
  return tokens
    .map(({ kind, text }) => {
      if (kind !== 'digit') return kind === 'comma' ? '' : text
      const isFirst = left === places.length
      const end = digits.length - --left
      return digits.slice(isFirst ? 0 : Math.max(0, end - 1), Math.max(0, end))
    })
    .join('')
}

function grouped(digits: string, tokens: readonly Token[]): string {
  const number = digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const first = tokens.findIndex(({ kind }) => kind === 'digit')
  return tokens
    .map(({ kind, text }, i) => (i === first ? number : kind === 'text' || kind === 'percent' ? text : ''))
    .join('')
}

/** A whole number and the nearest fraction with as many digits below as the format has places. */
function fraction(value: number, tokens: readonly Token[]): string {
  const slash = tokens.findIndex(({ kind }) => kind === 'slash')
  const below = tokens.slice(slash + 1)
  const fixedBelow = Number(
    below
      .map(({ text }) => text)
      .join('')
      .trim(),
  )
  const most = 10 ** Math.min(3, below.filter(({ kind }) => kind === 'digit').length) - 1
  const whole = Math.floor(value)
  const [above, under] =
    fixedBelow > 1 ? [Math.round((value - whole) * fixedBelow), fixedBelow] : nearest(value - whole, most)
  if (above === 0) return String(whole)
  if (above === under) return String(whole + 1)
  return whole === 0 ? `${above}/${under}` : `${whole} ${above}/${under}`
}

function nearest(value: number, most: number): [number, number] {
  let best: [number, number] = [0, 1]
  for (let under = 1; under <= Math.max(1, most); under++) {
    const above = Math.round(value * under)
    if (Math.abs(above / under - value) < Math.abs(best[0] / best[1] - value) - 1e-9) best = [above, under]
  }
  return best
}
