import { at, child, numberOf, type XmlElement, xmlElements } from '../xml/xml.ts'

export type ParagraphRole = 'title' | 'code' | 'quote' | 'toc' | undefined
export type Numbered = { id: string; level: number }
/** What counts of a style, with what it has of the styles it is based on. */
export type DocxStyle = {
  role: ParagraphRole
  /** 1 to 9; none for text. */
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

/** Reads styles.xml. Names count as well as properties: built-in styles keep their English names in every language. */
export function readStyles(chunks: Iterable<Uint8Array>): DocxStyles {
  const written = new Map<string, WrittenStyle>()
  const made = new Map<string, DocxStyle>()
  let usual: string | undefined
  let language: string | undefined
  for (const element of xmlElements(chunks, 'w:style', 'w:docDefaults')) {
    const { 'w:styleId': id, 'w:default': isDefault, 'w:type': type } = element.attributes
    if (element.name === 'w:docDefaults') language = languageOf(element)
    else if (id !== undefined && !written.has(id)) written.set(id, readStyle(element, type))
    if (id !== undefined && type === 'paragraph' && isOn(isDefault)) usual = id
  }
  const resolve = (id: string | undefined, depth: number): DocxStyle => {
    const style = id === undefined ? undefined : written.get(id)
    if (id === undefined || !style || depth > maxBases) return plain
    const known = made.get(id)
    if (known) return known
    const based = inherit(resolve(style.basedOn, depth + 1), style)
    if (depth === 0) made.set(id, based)
    return based
  }
  return { of: (id) => resolve(id ?? usual, 0), language }
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
  const said = Object.entries(own).filter(([, value]) => value !== undefined)
  return {
    ...base,
    ...(Object.fromEntries(said) as Partial<DocxStyle>),
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

/** Levels of an outline count from 0; 9 means text. */
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

/** A property that is on by being there, and off by saying so. */
export function toggle(properties: XmlElement | undefined, name: string): boolean | undefined {
  const property = child(properties, name)
  return property && isOn(property.attributes['w:val'] ?? 'true')
}

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|false|off|none)$/i.test(value)

const languageOf = (defaults: XmlElement) => at(defaults, 'w:rPrDefault', 'w:rPr', 'w:lang')?.attributes['w:val']
