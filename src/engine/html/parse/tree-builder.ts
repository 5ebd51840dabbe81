import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { createElement, createText, link, type ElementNode } from '../dom/tree-node.ts'
import { endOfSpecials, type PageLimits, partLimits } from './source-limits.ts'
import { commonName, createTagTable, type Tag } from './tags.ts'

type TokenizerState = {
  index: number
  readonly offset: number
  readonly buffer: string
  stateText(code: number): void
  stateBeforeDeclaration(code: number): void
  handleInAttributeValue(code: number, quote: number): void
  fastForwardTo(code: number): boolean
}
type FindNext = (sign: string, from: number) => number

const ampersand = 38
const less = 60
const bracket = 91
const finders = new WeakMap<TokenizerState, { text: string; place: FindNext }>()

let isDone = false

/**
 * Lets htmlparser2's tokenizer skip text and attribute values up to the next significant character. Checking every
 * character took half of the parsing time.
 */
function skipPlainText(): void {
  if (isDone) return
  isDone = true
  const steps = Tokenizer.prototype as unknown as TokenizerState
  const { stateText, handleInAttributeValue } = steps
  if (!stateText || !handleInAttributeValue || !steps.fastForwardTo) return
  steps.stateText = function (code) {
    if (code === less || code === ampersand) stateText.call(this, code)
    else skipTo(this, '<')
  }
  steps.handleInAttributeValue = function (code, quote) {
    if (code === quote || code === ampersand) handleInAttributeValue.call(this, code, quote)
    else skipTo(this, String.fromCharCode(quote))
  }
  steps.fastForwardTo = function (code) {
    const { buffer, offset } = this
    const at = buffer.indexOf(String.fromCharCode(code), this.index + 1 - offset)
    this.index = (at < 0 ? buffer.length - 1 : at) + offset
    return at >= 0
  }
}

/** Moves to just before the sign or the next entity; the tokenizer continues with the character after. */
function skipTo(steps: TokenizerState, sign: string): void {
  const { index, offset, buffer } = steps
  const place = finderFor(steps, buffer)
  steps.index = Math.min(place(sign, index - offset), place('&', index - offset)) - 1 + offset
}

function finderFor(steps: TokenizerState, text: string): FindNext {
  let finder = finders.get(steps)
  if (finder?.text !== text) finders.set(steps, (finder = { text, place: createFinder(text) }))
  return finder.place
}

/** Searches each position once, so all skips together are linear in the length of the text. */
function createFinder(text: string): FindNext {
  const known = new Map<string, number>()
  return (sign, from) => {
    const before = known.get(sign) ?? -1
    if (before >= from) return before
    const index = text.indexOf(sign, from)
    const at = index < 0 ? text.length : index
    known.set(sign, at)
    return at
  }
}

/** Elements whose text is never written. */
const rawText = /^(?:script|style)$/

/** Number of names and values of a tag above which its names are stored in a set. */
const manyAttributes = 64

type ParsedTree = {
  /** Contains the top-level nodes of the page. */
  top: ElementNode
  /** Maximum number of elements open at the same time. */
  height: number
  /** Templates, components and elements with a role, which may stand in for standard elements. */
  standIns: readonly ElementNode[]
  /** False if a limit was exceeded: what follows is left out. */
  isWhole: boolean
}

/** Maximum number of open elements; deeper ones stay empty, and their contents follow them. */
export const maxOpen = 10_000

/** Maximum number of characters before the html tag of an XHTML page. */
const longestProlog = 2000

/** Parses HTML into a tree in one pass, up to its limits. Comments and declarations are dropped. */
export function buildTree(html: string, limits: PageLimits = partLimits): ParsedTree {
  retained ??= build('<p title="retained">A small page.</p>', limits)
  return build(html, limits).builder
}

/**
 * A small tree and its tokenizer that are never released. When V8 collects a heap without objects of a shape, it
 * discards the shape and all compiled code that relies on it: between two pages, that is the whole reader.
 */
let retained: { builder: TreeBuilder; tokenizer: Tokenizer } | undefined

function build(html: string, limits: PageLimits) {
  skipPlainText()
  const builder = new TreeBuilder(html, limits, () => tokenizer.pause())
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, builder)
  if (html.includes('<![CDATA[')) commentSections(tokenizer as unknown as TokenizerState, builder, html)
  tokenizer.write(html)
  tokenizer.end()
  return { builder, tokenizer }
}

/** Reads CDATA sections outside XML, and one without an end, as browsers do: as comments up to the next `>`. */
function commentSections(steps: TokenizerState, builder: TreeBuilder, html: string): void {
  const { stateBeforeDeclaration } = steps
  const lastEnd = html.lastIndexOf(']]>')
  steps.stateBeforeDeclaration = function (code) {
    const isComment = code === bracket && (!builder.isInXml() || this.index > lastEnd)
    stateBeforeDeclaration.call(this, isComment ? 0 : code)
  }
}

/**
 * Builds the tree from htmlparser2's tokens, with its parser's rules for missing end tags, because the rest of the
 * reader was tuned on them.
 */
class TreeBuilder implements TokenizerCallbacks, ParsedTree {
  readonly top = createElement('#document')
  height = 0
  isWhole = true
  readonly standIns: ElementNode[] = []
  private readonly html: string
  /** Remainder of each limit. */
  private readonly left: { -readonly [Limit in keyof PageLimits]: number }
  private readonly countsSpecials: boolean
  private readonly stop: () => void
  private readonly isXhtml: boolean
  private readonly tagOf = createTagTable()
  /** Innermost open element; `open` lists the tags of all open elements, outermost first. */
  private node = this.top
  private readonly open: Tag[] = []
  /** Open elements that change the meaning of a slash at the end of a tag. */
  private readonly turns: ElementNode[] = []
  private tag: Tag = this.tagOf('')
  private pairs: string[] | undefined
  private many: { of: readonly string[]; names: Set<string> } | undefined
  private hasRole = false
  private attribute = ''
  private value = ''

  constructor(html: string, limits: PageLimits, stop: () => void) {
    this.html = html
    this.left = { ...limits }
    this.countsSpecials = html.length > limits.specials
    this.stop = stop
    this.isXhtml = /<html\b[^>]*\sxmlns=/i.test(html.slice(0, longestProlog))
  }

  ontext(start: number, end: number): void {
    if (this.html.charCodeAt(start) === less && this.left.brackets-- <= 0) this.end()
    const to = this.countsSpecials && !rawText.test(this.node.localName) ? this.endOfText(start, end) : end
    if (to > start) link(createText(this.html.slice(start, to)), this.node, null)
  }

  ontextentity(codePoint: number): void {
    if (this.left.specials-- <= 0) this.end()
    link(createText(String.fromCodePoint(codePoint)), this.node, null)
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.tagOf(this.html.slice(start, end))
    if (this.left.tags-- <= 0) this.end()
    if (this.left.brackets-- <= 0) this.end()
    const { ends } = this.tag
    if (ends) while (ends.has(this.open.at(-1)?.name ?? '')) this.close()
  }

  onattribname(start: number, end: number): void {
    this.attribute = commonName(this.html.slice(start, end))
    this.hasRole ||= this.attribute === 'role'
  }

  onattribdata(start: number, end: number): void {
    const text = this.html.slice(start, this.countsSpecials ? this.endOfText(start, end) : end)
    this.value = this.value === '' ? text : this.value + text
  }

  onattribentity(codePoint: number): void {
    if (this.left.specials-- <= 0) this.end()
    this.value += String.fromCodePoint(codePoint)
  }

  /** Adds an attribute, unless the tag already has one of that name. */
  onattribend(): void {
    const { attribute, value, pairs, left } = this
    this.value = ''
    if (pairs !== undefined && pairs.length >= 2 * left.attributesOfTag) {
      this.isWhole = false
      return
    }
    if (left.attributes-- <= 0) this.end()
    if (pairs === undefined) this.pairs = [attribute, value]
    else if (!this.isWritten(attribute, pairs)) pairs.push(attribute, value)
  }

  onopentagend(): void {
    const element = this.add()
    if (this.tag.isVoid || this.open.length >= maxOpen) return
    this.tag.open++
    this.node = element
    this.height = Math.max(this.height, this.open.push(this.tag))
    if (this.tag.turns) this.turns.push(element)
  }

  onselfclosingtag(): void {
    if (this.tag.turns !== 'foreign' && !this.isInXml()) return this.onopentagend()
    this.add()
  }

  onclosetag(start: number, end: number): void {
    if (this.left.brackets-- <= 0) this.end()
    const tag = this.tagOf(this.html.slice(start, end))
    if (tag.open > 0) while (this.close() !== tag);
    else if (tag.name === 'p' || tag.name === 'br') link(createElement(tag.name), this.node, null)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isXhtml) this.ontext(start, end - endOffset)
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** Stops reading, because a limit is exceeded. */
  private end(): void {
    this.isWhole = false
    this.stop()
  }

  /** Counts the special characters of a part of the page; returns its end, or where the limit cuts it off. */
  private endOfText(start: number, end: number): number {
    const part = endOfSpecials(this.html, start, end, this.left.specials)
    this.left.specials = part.left
    if (part.left < 0) this.end()
    return part.end
  }

  private add(): ElementNode {
    const element = createElement(this.tag.name, this.pairs)
    this.pairs = undefined
    if (this.tag.mayStandIn || this.hasRole) this.standIns.push(element)
    this.hasRole = false
    link(element, this.node, null)
    return element
  }

  /** Closes the innermost open element. */
  private close(): Tag | undefined {
    const tag = this.open.pop()
    if (tag === undefined) return undefined
    tag.open--
    if (tag.turns) this.turns.pop()
    this.node = this.node.parentNode ?? this.top
    return tag
  }

  /** True if the tag already has this attribute. A linear search is fastest for few attributes. */
  private isWritten(name: string, pairs: readonly string[]): boolean {
    if (pairs.length < manyAttributes) return isKnown(pairs, name)
    if (this.many?.of !== pairs) this.many = { of: pairs, names: new Set(pairs.filter((_, at) => at % 2 === 0)) }
    const { names } = this.many
    const { size } = names
    return names.add(name).size === size
  }

  /** True in a drawing or a formula, and anywhere on an XHTML page. */
  isInXml(): boolean {
    const turn = this.turns.at(-1)?.localName
    return this.isXhtml || turn === 'svg' || turn === 'math'
  }
}

function isKnown(pairs: readonly string[], name: string): boolean {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return true
  return false
}
