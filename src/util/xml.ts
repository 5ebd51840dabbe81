import { decodeXML } from 'entities/decode'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

export type XmlTag = {
  /** In lower case, with its prefix. */
  name: string
  kind: 'open' | 'close' | 'empty'
  /** Values by name in lower case; of each name the first. */
  attributes: ReadonlyMap<string, string>
  start: number
  /** Where the content of an open tag begins. */
  end: number
}
/** Takes the parts of an XML text in their order. */
export type XmlSink = {
  tag(tag: XmlTag): void
  /** Perhaps in several pieces; `raw` has references in it, `literal` (CDATA) has none. */
  text?(piece: string, kind: 'raw' | 'literal'): void
}

/** Reads XML in chunks, whole or broken, in one pass, and keeps no more than a tag. Nothing declared in it is expanded. */
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

/** The tags of a whole text, in order. */
export function readTags(xml: string, tag: XmlSink['tag']): void {
  createXmlReader({ tag }).write(xml)
}

const less = 60
const noAttributes: ReadonlyMap<string, string> = new Map()

/** Makes tags and texts of the places that the tokenizer of htmlparser2 tells. Its parser would keep a stack that a hostile file makes slow. */
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

/** Resolves the references every XML reader knows, once; what is not known stays as written. */
export const resolveReferences = (text: string): string => (text.includes('&') ? decodeXML(text) : text)

/** The text of an element as its author meant it: CDATA as it is, references resolved around it. */
export function textIn(raw: string): string {
  return raw
    .split(/<!\[CDATA\[([^]*?)(?:\]\]>|$)/)
    .map((part, index) => (index % 2 === 0 ? resolveReferences(part) : part))
    .join('')
}
