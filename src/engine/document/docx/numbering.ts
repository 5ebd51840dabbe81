import { child, childrenOf, numberOf, type XmlElement, xmlElements } from '../xml/xml.ts'

export type ListNumber = {
  /** Bullets have no number. */
  number: number | undefined
  /** The whole label as it is shown, such as "2.1"; empty for a bullet. */
  label: string
}
/** Counts as the document goes on, so that paragraphs must be asked for in order. */
export type Numbering = {
  /** Undefined for what shows no mark at all. */
  next(id: string, level: number): ListNumber | undefined
}

type Level = { format: string; start: number; text: string; restarts: boolean }
type AbstractNumbering = { levels: Map<number, Level>; linkedStyle: string | undefined }
type NumberingInstance = { scheme: string; starts: Map<number, number>; levels: Map<number, Level> }

const maxLevel = 8

/** Reads numbering.xml; `numberingOfStyle` leads from a list style to the list it is written in. */
export function readNumbering(
  chunks: Iterable<Uint8Array>,
  numberingOfStyle: (style: string) => string | undefined,
): Numbering {
  const schemes = new Map<string, AbstractNumbering>()
  const uses = new Map<string, NumberingInstance>()
  for (const element of xmlElements(chunks, 'w:abstractNum', 'w:num')) {
    if (element.name === 'w:num') uses.set(element.attributes['w:numId'] ?? '', readUse(element))
    else schemes.set(element.attributes['w:abstractNumId'] ?? '', readScheme(element))
  }
  const schemeOf = (use: NumberingInstance): string => {
    const style = schemes.get(use.scheme)?.linkedStyle
    const real = style === undefined ? undefined : uses.get(numberingOfStyle(style) ?? '')
    return real?.scheme ?? use.scheme
  }
  const counters = new Map<string, (number | undefined)[]>()
  const seen = new Set<NumberingInstance>()
  return {
    next(id, wanted) {
      const use = uses.get(id)
      if (!use) return undefined
      const level = Math.min(maxLevel, Math.max(0, wanted))
      const scheme = schemeOf(use)
      const levelAt = (depth: number) => use.levels.get(depth) ?? schemes.get(scheme)?.levels.get(depth)
      const counter = counters.get(scheme) ?? []
      counters.set(scheme, counter)
      if (!seen.has(use)) for (const [depth, start] of use.starts) counter[depth] = start - 1
      seen.add(use)
      return count(counter, level, levelAt)
    },
  }
}

function count(
  counter: (number | undefined)[],
  level: number,
  levelAt: (depth: number) => Level | undefined,
): ListNumber | undefined {
  const { format, start, text } = levelAt(level) ?? { format: 'bullet', start: 1, text: '' }
  counter[level] = (counter[level] ?? start - 1) + 1
  for (let deeper = level + 1; deeper <= maxLevel; deeper++)
    if (levelAt(deeper)?.restarts !== false) counter[deeper] = undefined
  if (format === 'none') return undefined
  if (format === 'bullet') return { number: undefined, label: '' }
  const shown = (depth: number) =>
    formatNumber(counter[depth] ?? levelAt(depth)?.start ?? 1, levelAt(depth)?.format ?? 'decimal')
  return { number: counter[level], label: text.replace(/%([1-9])/g, (_, digit: string) => shown(Number(digit) - 1)) }
}

function readScheme(element: XmlElement): AbstractNumbering {
  const levels = childrenOf(element, 'w:lvl').map(readLevel)
  return { levels: new Map(levels), linkedStyle: child(element, 'w:numStyleLink')?.attributes['w:val'] }
}

function readLevel(element: XmlElement): [number, Level] {
  const value = (name: string) => child(element, name)?.attributes['w:val']
  return [
    numberOf(element.attributes['w:ilvl']) ?? 0,
    {
      format: value('w:numFmt') ?? 'decimal',
      start: numberOf(value('w:start')) ?? 1,
      text: value('w:lvlText') ?? '',
      restarts: value('w:lvlRestart') !== '0',
    },
  ]
}

function readUse(element: XmlElement): NumberingInstance {
  const overrides = childrenOf(element, 'w:lvlOverride')
  const starts = overrides.flatMap((override): [number, number][] => {
    const start = numberOf(child(override, 'w:startOverride')?.attributes['w:val'])
    return start === undefined ? [] : [[numberOf(override.attributes['w:ilvl']) ?? 0, start]]
  })
  const levels = overrides.flatMap((override) => childrenOf(override, 'w:lvl').map(readLevel))
  const scheme = child(element, 'w:abstractNumId')?.attributes['w:val'] ?? ''
  return { scheme, starts: new Map(starts), levels: new Map(levels) }
}

function formatNumber(number: number, format: string): string {
  if (/roman/i.test(format)) return cased(roman(number), format)
  if (/letter/i.test(format)) return cased(letters(number), format)
  return format === 'decimalZero' && number < 10 ? `0${number}` : String(number)
}

const cased = (text: string, format: string) => (format.startsWith('upper') ? text.toUpperCase() : text)

const romanSigns = 'm1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'
  .split(' ')
  .map((pair): [string, number] => [pair.replace(/\d+/, ''), Number(pair.replace(/\D+/, ''))])

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let left = number
  let text = ''
  for (const [sign, value] of romanSigns) {
    text += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return text
}

/** a … z, then aa, bb …, as word processors count. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number)
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}
