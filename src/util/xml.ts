import { decodeXML } from 'entities/decode'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

export type XmlTag = {
  /** Lower case, including the prefix. */
  name: string
  kind: 'open' | 'close' | 'empty'
  /** Values by lower-case name; the first one if a name is repeated. */
  attributes: ReadonlyMap<string, string>
  start: number
  /** The content of an open tag starts at this offset. */
  end: number
}
/** Receives the parts of an XML text in document order. */
export type XmlSink = {
  tag(tag: XmlTag): void
  /** May be called several times for one text. `raw` text contains references, `literal` text (CDATA) does not. */
  text?(piece: string, kind: 'raw' | 'literal'): void
}

/**
 * Reads XML in chunks, even if it is malformed. Buffers at most one tag, comment or CDATA section, and expands no
 * entities that the document declares.
 */
export function createXmlReader(sink: XmlSink): { write(chunk: string): void } {
  const events = new TagEvents(sink)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, events)
  return {
    write(chunk) {
      events.add(chunk)
      tokenizer.write(chunk)
    },
  }
}

/** Calls `tag` for the tags of a complete text, in order. */
export function readTags(xml: string, tag: XmlSink['tag']): void {
  createXmlReader({ tag }).write(xml)
}

const less = 60
const noAttributes: ReadonlyMap<string, string> = new Map()

/**
 * Builds tags and texts from the offsets of the tokenizer of htmlparser2. Its parser is not used, because it keeps a
 * stack of open tags, which hostile files make slow.
 */
class TagEvents implements TokenizerCallbacks {
  private readonly sink: XmlSink
  private buffer = ''
  private offset = 0
  private done = 0
  private start = 0
  private name = ''
  private attributes: Map<string, string> | undefined
  private attribute = ''
  private value = ''

  constructor(sink: XmlSink) {
    this.sink = sink
  }

  add(chunk: string): void {
    this.buffer = this.buffer.slice(this.done - this.offset) + chunk
    this.offset = this.done
  }

  private slice(start: number, end: number): string {
    this.done = end
    return this.buffer.slice(start - this.offset, end - this.offset)
  }

  private emit(kind: XmlTag['kind'], end: number): void {
    this.done = end
    this.sink.tag({ name: this.name, kind, attributes: this.attributes ?? noAttributes, start: this.start, end })
  }

  ontext(start: number, end: number): void {
    const piece = this.slice(start, end)
    this.sink.text?.(piece, 'raw')
  }

  oncdata(start: number, end: number, endOffset: number): void {
    const piece = this.slice(start, end - endOffset)
    this.sink.text?.(piece, 'literal')
  }

  onopentagname(start: number, end: number): void {
    this.start = start - 1
    this.name = this.slice(start, end).toLowerCase()
    this.attributes = undefined
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.slice(start, end).toLowerCase()
    this.value = ''
  }

  onattribdata(start: number, end: number): void {
    this.value += this.slice(start, end)
  }

  onattribend(): void {
    this.attributes ??= new Map()
    if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, resolveReferences(this.value))
  }

  onopentagend(end: number): void {
    this.emit('open', end + 1)
  }

  onselfclosingtag(end: number): void {
    this.emit('empty', end + 1)
  }

  onclosetag(start: number, end: number): void {
    this.start = start - 2
    while (this.buffer.charCodeAt(this.start - this.offset) !== less) this.start -= 1
    this.name = this.slice(start, end).toLowerCase()
    this.attributes = undefined
    this.emit('close', end)
  }

  oncomment(_start: number, end: number): void {
    this.done = end
  }

  ondeclaration(_start: number, end: number): void {
    this.done = end
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.done = end
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}
}

/** Resolves references once, such as `&amp;`; unknown ones stay unchanged. */
export const resolveReferences = (text: string): string => (text.includes('&') ? decodeXML(text) : text)

/** Returns the text of an element, with CDATA unchanged and references resolved in the other parts. */
export function textIn(raw: string): string {
  return raw
    .split(/<!\[CDATA\[([^]*?)(?:\]\]>|$)/)
    .map((part, index) => (index % 2 === 0 ? resolveReferences(part) : part))
    .join('')
}
