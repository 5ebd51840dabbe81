import { formatNumber } from '../markup/block-markup.ts'
import { at, child, numberOf, type XmlElement, xmlElements, childrenOf } from '../xml/xml-stream.ts'

type ListNumber = {
  /** Undefined for bullets. */
  number: number | undefined
  /** Whole label as shown, such as "2.1"; empty for a bullet. */
  label: string
}
export type Numbering = ReturnType<typeof readNumbering>

type Level = { format: string; start: number; text: string; restarts: boolean }
type AbstractNumbering = { levels: Map<number, Level>; linkedStyle: string | undefined }
type NumberingInstance = { scheme: string; starts: Map<number, number>; levels: Map<number, Level> }

const maxLevel = 8

/** Reads numbering.xml; `numberingOfStyle` maps a list style to the list that defines it. */
export function readNumbering(chunks: Iterable<Uint8Array>, numberingOfStyle: (style: string) => string | undefined) {
  const schemes = new Map<string, AbstractNumbering>()
  const uses = new Map<string, NumberingInstance>()
  for (const element of xmlElements(chunks, 'w:abstractNum', 'w:num')) {
    if (element.name === 'w:num') uses.set(element.attributes['w:numId'] ?? '', readInstance(element))
    else schemes.set(element.attributes['w:abstractNumId'] ?? '', readAbstract(element))
  }
  const schemeOf = (use: NumberingInstance): string => {
    const style = schemes.get(use.scheme)?.linkedStyle
    const real = style === undefined ? undefined : uses.get(numberingOfStyle(style) ?? '')
    return real?.scheme ?? use.scheme
  }
  const counters = new Map<string, (number | undefined)[]>()
  const seen = new Set<NumberingInstance>()
  return {
    /** Numbers a list paragraph; must be called in document order. Returns undefined if the paragraph shows no mark. */
    next(id: string, wanted: number): ListNumber | undefined {
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

function readAbstract(element: XmlElement): AbstractNumbering {
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

function readInstance(element: XmlElement): NumberingInstance {
  const overrides = childrenOf(element, 'w:lvlOverride')
  const starts = overrides.flatMap((override): [number, number][] => {
    const start = numberOf(child(override, 'w:startOverride')?.attributes['w:val'])
    return start === undefined ? [] : [[numberOf(override.attributes['w:ilvl']) ?? 0, start]]
  })
  const levels = overrides.flatMap((override) => childrenOf(override, 'w:lvl').map(readLevel))
  const scheme = child(element, 'w:abstractNumId')?.attributes['w:val'] ?? ''
  return { scheme, starts: new Map(starts), levels: new Map(levels) }
}

export type ParagraphRole = 'title' | 'code' | 'quote' | 'toc' | undefined
export type Numbered = { id: string; level: number }
/** Relevant properties of a style, including those inherited from its base styles. */
export type DocxStyle = {
  role: ParagraphRole
  /** Level 1 to 9; 10 for text, undefined if none is set. */
  headingLevel: number | undefined
  numbered: Partial<Numbered>
  bold: boolean | undefined
  italic: boolean | undefined
  strike: boolean | undefined
  isCode: boolean
  isHidden: boolean | undefined
}
export type DocxStyles = { of(id: string | undefined): DocxStyle; language: string | undefined }

type WrittenStyle = Partial<DocxStyle> & { basedOn: string | undefined; type: string | undefined }

const plain: DocxStyle = {
  role: undefined,
  headingLevel: undefined,
  numbered: {},
  bold: undefined,
  italic: undefined,
  strike: undefined,
  isCode: false,
  isHidden: undefined,
}
const maxBases = 20

/**
 * Reads styles.xml. Names count as well as properties, because built-in styles keep their English names in every
 * language.
 */
export function readStyles(chunks: Iterable<Uint8Array>): DocxStyles {
  const written = new Map<string, WrittenStyle>()
  const resolved = new Map<string, DocxStyle>()
  let defaultId: string | undefined
  let language: string | undefined
  for (const element of xmlElements(chunks, 'w:style', 'w:docDefaults')) {
    const { 'w:styleId': id, 'w:default': isDefault, 'w:type': type } = element.attributes
    if (element.name === 'w:docDefaults') language = languageOf(element)
    else if (id !== undefined && !written.has(id)) written.set(id, readStyle(element, type))
    if (id !== undefined && type === 'paragraph' && isOn(isDefault)) defaultId = id
  }
  const resolve = (id: string | undefined, depth: number): DocxStyle => {
    const style = id === undefined ? undefined : written.get(id)
    if (id === undefined || !style || depth > maxBases) return plain
    const known = resolved.get(id)
    if (known) return known
    const based = inherit(resolve(style.basedOn, depth + 1), style)
    if (depth === 0) resolved.set(id, based)
    return based
  }
  return { of: (id) => resolve(id ?? defaultId, 0), language }
}

function readStyle(element: XmlElement, type: string | undefined): WrittenStyle {
  const name = child(element, 'w:name')?.attributes['w:val'] ?? ''
  const look = child(element, 'w:rPr')
  const headingLevel = levelByName(name) ?? outlineLevel(child(element, 'w:pPr'))
  return {
    type,
    basedOn: child(element, 'w:basedOn')?.attributes['w:val'],
    ...(headingLevel !== undefined && { headingLevel }),
    ...(roleOf(name) && { role: roleOf(name) }),
    ...(isCodeName(name) && { isCode: true }),
    numbered: numberedOf(child(element, 'w:pPr')),
    bold: toggle(look, 'w:b'),
    italic: toggle(look, 'w:i'),
    strike: toggle(look, 'w:strike'),
    isHidden: toggle(look, 'w:vanish'),
  }
}

function inherit(base: DocxStyle, own: WrittenStyle): DocxStyle {
  const written = Object.entries(own).filter(([, value]) => value !== undefined)
  return {
    ...base,
    ...(Object.fromEntries(written) as Partial<DocxStyle>),
    numbered: { ...base.numbered, ...own.numbered },
  }
}

const levelByName = (name: string) => numberOf(/^heading ([1-9])$/i.exec(name)?.[1])

function roleOf(name: string): ParagraphRole {
  if (/^title$/i.test(name)) return 'title'
  if (/^(?:toc|contents|index|table of figures)\s*(?:\d|heading)?$/i.test(name)) return 'toc'
  if (/^(?:intense )?quot(?:e|ations?)$|^block ?(?:text|quote)$/i.test(name)) return 'quote'
  return isCodeName(name) ? 'code' : undefined
}

const isCodeName = (name: string) =>
  /^(?:html )?preformatted(?: text)?$|\bcode\b|sourcecode|^(?:html (?:keyboard|typewriter|sample)|verbatim(?: char)?|teletype|source text|inline code)$/i.test(
    name,
  ) && !/postal|zip/i.test(name)

/** Returns the outline level of a paragraph: 1 to 9 for a heading, 10 if it is marked as text, undefined if none is set.
 * Outline levels in the file count from 0. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = numberOf(child(properties, 'w:outlineLvl')?.attributes['w:val'])
  return level === undefined ? undefined : level + 1
}

export function numberedOf(properties: XmlElement | undefined): Partial<Numbered> {
  const numbering = child(properties, 'w:numPr')
  const id = child(numbering, 'w:numId')?.attributes['w:val']
  const level = numberOf(child(numbering, 'w:ilvl')?.attributes['w:val'])
  return { ...(id !== undefined && { id }), ...(level !== undefined && { level }) }
}

/** Reads a property that is on if present, unless its value is off. */
export function toggle(properties: XmlElement | undefined, name: string): boolean | undefined {
  const property = child(properties, name)
  return property && isOn(property.attributes['w:val'] ?? 'true')
}

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|false|off|none)$/i.test(value)

const languageOf = (defaults: XmlElement) => at(defaults, 'w:rPrDefault', 'w:rPr', 'w:lang')?.attributes['w:val']
