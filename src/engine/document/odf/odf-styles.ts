import { child, elementsOf, numberOf, type XmlElement } from '../xml/xml-stream.ts'

export type OdfStyle = {
  /** Display name. */
  shownName: string
  bold: boolean | undefined
  italic: boolean | undefined
  strike: boolean | undefined
  position: 'sup' | 'sub' | undefined
  isHidden: boolean | undefined
}
export type ListLevel = {
  isNumbered: boolean
  start: number
  /** Format of the number, by its name in Word. */
  format: string
  prefix: string
  suffix: string
  /** Number of levels in a mark: 2 for "1.2". */
  shownLevels: number
}
export type OdfStyles = ReturnType<typeof createStyles>

const bullet: ListLevel = { isNumbered: false, start: 1, format: '', prefix: '', suffix: '', shownLevels: 1 }

type WrittenStyle = Partial<OdfStyle> & { shownName: string; parent: string | undefined }
const maxParents = 20

/**
 * Collects the styles of an OpenDocument file in the order of the file: first named styles, then automatic ones.
 */
export function createStyles() {
  const styles = new Map<string, WrittenStyle>()
  const lists = new Map<string, Map<number, ListLevel>>()
  const chain = (family: string, name: string | undefined): WrittenStyle[] => {
    const found: WrittenStyle[] = []
    for (let at = name; at !== undefined && found.length < maxParents;) {
      const style = styles.get(`${family} ${at}`)
      if (style) found.unshift(style)
      at = style?.parent
    }
    return found
  }
  return {
    add(element: XmlElement): void {
      const name = element.attributes['style:name'] ?? ''
      if (element.name === 'text:list-style') lists.set(name, levelsOf(element))
      else styles.set(`${element.attributes['style:family']} ${name}`, readStyle(element, name))
    },
    of: (family: string, name: string | undefined) =>
      Object.assign({}, ...chain(family, name).map(withoutUndefined)) as OdfStyle,
    /** Returns the display names of a style and of all its base styles. */
    names: (family: string, name: string | undefined): string[] =>
      chain(family, name).map(({ shownName }) => shownName),
    listLevel: (style: string | undefined, level: number): ListLevel => lists.get(style ?? '')?.get(level) ?? bullet,
  }
}

const withoutUndefined = (style: WrittenStyle) =>
  Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined))

function readStyle(element: XmlElement, name: string): WrittenStyle {
  const { attributes } = element
  const text = child(element, 'style:text-properties')?.attributes ?? {}
  const line = text['style:text-line-through-style']
  const isHidden =
    text['text:display'] === 'none' ||
    child(element, 'style:table-properties')?.attributes['table:display'] === 'false' ||
    child(element, 'style:drawing-page-properties')?.attributes['presentation:visibility'] === 'hidden'
  return {
    shownName: attributes['style:display-name'] ?? name.replaceAll('_20_', ' '),
    parent: attributes['style:parent-style-name'],
    bold: weightOf(text['fo:font-weight']),
    italic: text['fo:font-style'] === undefined ? undefined : /italic|oblique/.test(text['fo:font-style']),
    strike: line === undefined ? undefined : line !== 'none',
    position: positionOf(text['style:text-position']),
    ...(isHidden && { isHidden }),
  }
}

function weightOf(weight: string | undefined): boolean | undefined {
  return weight === undefined ? undefined : weight === 'bold' || Number(weight) >= 600
}

function positionOf(position: string | undefined): 'sup' | 'sub' | undefined {
  if (position === undefined) return undefined
  if (position.startsWith('super')) return 'sup'
  if (position.startsWith('sub')) return 'sub'
  const percent = Number.parseFloat(position)
  return percent > 0 ? 'sup' : percent < 0 ? 'sub' : undefined
}

const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

function levelsOf(style: XmlElement): Map<number, ListLevel> {
  const levels = elementsOf(style).map(({ name, attributes }): [number, ListLevel] => {
    const format = formats[attributes['style:num-format'] ?? '']
    const level = {
      isNumbered: name === 'text:list-level-style-number' && format !== undefined,
      start: numberOf(attributes['text:start-value']) ?? 1,
      format: format ?? '',
      prefix: attributes['style:num-prefix'] ?? '',
      suffix: attributes['style:num-suffix'] ?? '',
      shownLevels: numberOf(attributes['text:display-levels']) ?? 1,
    }
    return [numberOf(attributes['text:level']) ?? 1, level]
  })
  return new Map(levels)
}
