import { type DomNode, type Element, isElement, isText } from '../dom/dom-tree.ts'
import { escapeLineStarts } from './escape.ts'
import { createParagraph } from './paragraph.ts'
import { ruleFor } from './rules.ts'
import { createBlocks, type MarkdownWriter } from './writing.ts'

/** Quotes and lists nested deeper are written as plain blocks, because each level indents every line. */
const maxContainers = 40

type MarkdownOptions = {
  base64: 'keep' | 'remove'
  /**
   * 'informative' omits rules that divide nothing, lines of separators, and headings without words or repeated ones.
   */
  lines: 'all' | 'informative'
}

/**
 * Writes normalised content as GitHub-flavoured markdown: one walk without recursion, in time linear in the text.
 * Escapes follow CommonMark 0.31, tables and task boxes GFM 0.29.
 */
export function writeMarkdown(root: Element, options: MarkdownOptions): string {
  const writing = begin(options)
  /** Calls that are due at the end of each open element. */
  const leaving: ((() => void) | undefined)[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isText(at)) writeText(writing, at.textContent)
    const leave = isElement(at) ? enterElement(writing, at) : undefined
    if (leave !== 'skip') {
      if (at.firstChild) {
        leaving.push(leave)
        at = at.firstChild
        continue
      }
      leave?.()
    }
    while (!at.nextSibling && at.parentNode && at.parentNode !== root) {
      leaving.pop()?.()
      at = at.parentNode
    }
    at = at.nextSibling
  }
  writing.flush()
  return writing.blocks.whole()
}

function begin({ base64, lines }: MarkdownOptions): MarkdownWriter {
  const writing: MarkdownWriter = {
    paragraph: createParagraph(),
    blocks: createBlocks(),
    cells: undefined,
    heading: '',
    keepsBase64: base64 === 'keep',
    keepsAllLines: lines === 'all',
    flush: () => flush(writing),
  }
  return writing
}

function flush(writing: MarkdownWriter): void {
  const { paragraph, blocks, cells, heading } = writing
  if (cells) return paragraph.text(' ')
  const text = paragraph.take()
  if (text === '') return
  writing.heading = ''
  // Blocks that a page nests in an unclosed heading are written after it.
  const block = heading ? `${heading} ${text.replace(/(?<! ) *\n/g, ' ')}` : escapeLineStarts(text)
  if (writing.keepsAllLines || isInformative(text, heading, block === blocks.last())) blocks.add(block)
}

/** Separators of removed blocks. Asterisks between paragraphs are a break in the text and stay. */
const separators = /^[\s|•·/\\–—\-_→←↑↓»«›‹,:;()[\]"'+&#~=<>]{1,12}$/

function isInformative(text: string, heading: string, isRepeated: boolean): boolean {
  return heading ? /[\p{L}\p{N}]/u.test(text) && !isRepeated : !separators.test(text)
}

function enterElement(writing: MarkdownWriter, element: Element): (() => void) | 'skip' | undefined {
  const rule = ruleFor(element.localName)
  if (!rule || (rule.isContainer === true && writing.blocks.depth() >= maxContainers)) return undefined
  if (rule.isBlock !== true) return rule.enter?.(writing, element)
  writing.flush()
  const leave = rule.enter?.(writing, element)
  if (leave === 'skip') return 'skip'
  if (!leave) return writing.flush
  return () => {
    leave()
    writing.flush()
  }
}

function writeText({ paragraph }: MarkdownWriter, text: string): void {
  // Half of all texts are the white space between elements.
  if (text.charCodeAt(0) <= 0x20 && !/[^ \t\r\n\f]/.test(text)) paragraph.text(' ')
  else paragraph.text(/[\t\r\n\f]/.test(text) || text.includes('  ') ? collapsed(text) : text)
}

/** A source line break between Chinese or Japanese characters is not a space (CSS Text 3, 4.1.3, segment breaks). */
const wideBreak =
  /(?<=[\u3000-\u30FF\u3400-\u9FFF\uFF00-\uFF60])[ \t]*[\r\n][ \t\r\n]*(?=[\u3000-\u30FF\u3400-\u9FFF\uFF00-\uFF60])/g

const collapsed = (text: string) => text.replace(wideBreak, '').replace(/[ \t\r\n\f]+/g, ' ')
