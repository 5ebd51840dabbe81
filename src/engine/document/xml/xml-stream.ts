import { SaxesParser, type SaxesTagNS } from 'saxes'
import { refuse } from '../refuse.ts'

export type XmlElement = {
  /** Name with the prefix used here, regardless of the file's prefix. */
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly XmlNode[]
}
type XmlNode = XmlElement | string
/**
 * A `whole` element is emitted with all its contents; a `mark` is emitted when it opens and when it closes, without
 * content.
 */
type XmlEvent = { kind: 'open' | 'close' | 'whole'; element: XmlElement }
export type Wanted = (name: string) => 'whole' | 'mark' | undefined

/** Maximum depth; readers recurse, and the parser searches for a namespace in each open element. */
const maxDepth = 500
const maxTreeNodes = 1_000_000
const maxFaults = 1000

/**
 * Parses XML as it arrives and yields the outermost requested elements; nothing else is kept. Declared entities are not
 * expanded and nothing external is read. Skips errors as far as possible.
 */
export function* xmlEvents(chunks: Iterable<Uint8Array>, wanted: Wanted): Generator<XmlEvent> {
  let events: XmlEvent[] = []
  const parser = parserTo((event) => events.push(event), wanted)
  for (const text of decoded(chunks)) {
    parser.write(text)
    yield* events
    events = []
  }
  parser.close()
  yield* events
}

/** Yields the outermost elements with the given names. */
export function* xmlElements(chunks: Iterable<Uint8Array>, ...names: string[]): Generator<XmlElement> {
  const known = new Set(names)
  for (const { element } of xmlEvents(chunks, (name) => (known.has(name) ? 'whole' : undefined))) yield element
}

/** Returns the root element with all its contents. */
export function xmlRoot(chunks: Iterable<Uint8Array>): XmlElement | undefined {
  for (const { element } of xmlEvents(chunks, () => 'whole')) return element
  return undefined
}

function parserTo(emit: (event: XmlEvent) => void, wanted: Wanted) {
  const parser = new SaxesParser({ xmlns: true })
  const tree: (XmlElement & { children: XmlNode[] })[] = []
  let depth = 0
  let nodes = 0
  let faults = 0
  const add = (node: XmlNode) => {
    if (++nodes > maxTreeNodes) refuse('A part of the file has too many elements.')
    tree.at(-1)?.children.push(node)
  }
  const addText = (text: string) => void (tree.length > 0 && add(text))
  parser.on('error', () => void (++faults > maxFaults && refuse('The file is damaged: a part of it is not valid XML.')))
  parser.on('opentag', (tag) => {
    if (++depth > maxDepth) refuse('The file is nested too deeply to be read.')
    const name = nameOf(tag.uri, tag.local)
    const interest = tree.length > 0 ? 'whole' : wanted(name)
    if (interest === undefined) return
    const element = { name, attributes: attributesOf(tag), children: [] }
    if (interest === 'mark') return emit({ kind: 'open', element })
    add(element)
    tree.push(element)
  })
  parser.on('closetag', (tag) => {
    depth--
    const name = nameOf(tag.uri, tag.local)
    const element = tree.pop()
    if (!element) return void (wanted(name) === 'mark' && emit({ kind: 'close', element: bare(name) }))
    if (tree.length > 0) return
    nodes = 0
    emit({ kind: 'whole', element })
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('end', () => tree[0] && emit({ kind: 'whole', element: tree[0] }))
  return parser
}

const noAttributes: XmlElement['attributes'] = Object.freeze(Object.create(null))
const bare = (name: string): XmlElement => ({ name, attributes: noAttributes, children: [] })

function attributesOf({ attributes }: SaxesTagNS): XmlElement['attributes'] {
  const written = Object.values(attributes)
  // Most elements have no attributes, and large files consist mostly of elements.
  if (written.length === 0) return noAttributes
  const read: Record<string, string> = Object.create(null) as Record<string, string>
  for (const { uri, local, value, prefix } of written)
    if (prefix !== 'xmlns' && local !== 'xmlns') read[nameOf(uri, local)] = value
  return read
}

/** Decodes the text of a part by its byte order mark or its declared encoding. */
export const decodedText = (chunks: Iterable<Uint8Array>) => [...decoded(chunks)].join('')

function* decoded(chunks: Iterable<Uint8Array>): Generator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for (const chunk of chunks) {
    decoder ??= decoderFor(chunk)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

function decoderFor(start: Uint8Array): InstanceType<typeof TextDecoder> {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be')
  const declaration = new TextDecoder('latin1').decode(start.subarray(0, 200))
  const label = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(declaration)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label)
  } catch {
    return new TextDecoder()
  }
}

const ooxml = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'
const odf = 'urn:oasis:names:tc:opendocument:xmlns:'

/** Transitional and strict OOXML use two names for each namespace. */
const both = (prefix: string, transitional: string, strictName: string): [string, string][] => [
  [ooxml + transitional, prefix],
  [strict + strictName, prefix],
]

const prefixes: ReadonlyMap<string, string> = new Map([
  ...both('w', 'wordprocessingml/2006/main', 'wordprocessingml/main'),
  ...both('s', 'spreadsheetml/2006/main', 'spreadsheetml/main'),
  ...both('p', 'presentationml/2006/main', 'presentationml/main'),
  ...both('a', 'drawingml/2006/main', 'drawingml/main'),
  ...both('c', 'drawingml/2006/chart', 'drawingml/chart'),
  ...both('dgm', 'drawingml/2006/diagram', 'drawingml/diagram'),
  ...both('wp', 'drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'),
  ...both('pic', 'drawingml/2006/picture', 'drawingml/picture'),
  ...both('r', 'officeDocument/2006/relationships', 'officeDocument/relationships'),
  ...both('m', 'officeDocument/2006/math', 'officeDocument/math'),
  ['http://schemas.openxmlformats.org/package/2006/relationships', 'rel'],
  ['http://schemas.openxmlformats.org/package/2006/metadata/core-properties', 'cp'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
  [`${odf}container`, 'container'],
  [`${odf}drawing:1.0`, 'draw'],
  [`${odf}svg-compatible:1.0`, 'svg'],
  [`${odf}xsl-fo-compatible:1.0`, 'fo'],
  ...['office', 'text', 'table', 'style', 'meta', 'presentation', 'manifest'].map((name): [string, string] => [
    `${odf}${name}:1.0`,
    name,
  ]),
])

/** Returns the name of an element or attribute with the prefix used here, regardless of the file's prefix. */
function nameOf(uri: string, local: string): string {
  if (uri === '') return local
  return `${prefixes.get(uri) ?? '?'}:${local}`
}

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== 'string'

export function elementsOf(parent: XmlElement | undefined): XmlElement[] {
  return parent ? parent.children.filter(isElement) : []
}

/** Returns the first child with that name. */
export function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((node): node is XmlElement => isElement(node) && node.name === name)
}

/** Returns the children with that name. */
export function childrenOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(parent).filter((element) => element.name === name)
}

/** Returns the element at the end of a path of first children. */
export function at(parent: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((element, name) => child(element, name), parent)
}

/** Yields all descendants with that name, outermost only, in document order. */
export function* within(parent: XmlElement | undefined, name: string): Generator<XmlElement> {
  for (const element of elementsOf(parent)) {
    if (element.name === name) yield element
    else yield* within(element, name)
  }
}

export function firstWithin(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const element of within(parent, name)) return element
  return undefined
}

/** Returns all text inside, as written. */
export function textOf(parent: XmlElement | undefined): string {
  if (!parent) return ''
  return parent.children.map((node) => (isElement(node) ? textOf(node) : node)).join('')
}

export function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
