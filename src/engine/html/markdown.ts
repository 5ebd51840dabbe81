import TurndownService from 'turndown'
import type { Element } from './dom.ts'
import { plainHtml } from './plain-html.ts'

const base64Placeholder = '<Base64-Image-Removed>'

/** What the rules read of a node; the converter brings its own DOM. */
type RuleNode = {
  nodeName: string
  textContent: string
  nextSibling: unknown
  previousSibling: RuleNode | null
  parentNode: RuleNode | null
  firstChild: RuleNode | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
}

/** Writes normalised content as GitHub-flavoured markdown. */
export function toMarkdown(root: Element, images: { base64: 'keep' | 'remove' }): string {
  return tidy(writer(images.base64).turndown(plainHtml(root)))
}

function writer(base64: 'keep' | 'remove'): TurndownService {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
    hr: '---',
  })
  addTextRules(turndown)
  addListRules(turndown)
  addTableRules(turndown)
  addRule(turndown, 'image', isNamed('IMG'), (_, node) => imageMarkdown(node, base64))
  return turndown
}

function addTextRules(turndown: TurndownService): void {
  addRule(
    turndown,
    'formula',
    (node) => node.nodeName === 'CODE' && node.hasAttribute('data-math'),
    (_, node) => {
      const tex = node.textContent.trim()
      return node.getAttribute('data-math') === 'block' ? `\n\n$$\n${tex}\n$$\n\n` : `$${tex}$`
    },
  )
  addRule(turndown, 'deleted', isNamed('DEL', 'S', 'STRIKE'), (content) =>
    content.trim() ? `~~${content}~~` : content,
  )
  addRule(turndown, 'power', isPower, (content) => `^${content.trim()}`)
  addRule(
    turndown,
    'footnoteReference',
    (node) => node.nodeName === 'SUP' && node.hasAttribute('data-footnote'),
    (_, node) => `[^${node.getAttribute('data-footnote')}]`,
  )
  addRule(
    turndown,
    'footnote',
    (node) => node.nodeName === 'P' && node.hasAttribute('data-footnote'),
    (content, node) => `\n\n[^${node.getAttribute('data-footnote')}]: ${content.trim()}\n\n`,
  )
}

function addListRules(turndown: TurndownService): void {
  addRule(turndown, 'item', isNamed('LI'), (content, node) => {
    const number = node.parentNode?.nodeName === 'OL' && node.getAttribute('data-number')
    const marker = number ? `${number}. ` : '- '
    const text = content
      .replace(/^\n+/, '')
      .trimEnd()
      .replace(/^(\[[ x]\]) +/, '$1 ')
    return marker + text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`) + (node.nextSibling ? '\n' : '')
  })
  addRule(turndown, 'taskBox', isNamed('INPUT'), (_, node) => (node.hasAttribute('checked') ? '[x] ' : '[ ] '))
  addRule(turndown, 'term', isNamed('DT'), (content) => `\n\n${content.trim()}`)
  addRule(turndown, 'definition', isNamed('DD'), (content) => `\n: ${content.trim().replace(/\n/g, '\n  ')}\n`)
}

/** Tables come as full grids of rows; a row that holds `data-align` is the header. Every rule looks at its own node only, so the cost is linear. */
function addTableRules(turndown: TurndownService): void {
  addRule(turndown, 'cell', isNamed('TD', 'TH'), (content) => {
    const line = content
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replace(/\\?\|/g, '\\|')
    return line ? ` ${line} |` : '  |'
  })
  addRule(turndown, 'row', isNamed('TR'), (content, node) => {
    const align = node.getAttribute('data-align')
    const rule = align === null ? '' : `\n|${align.split(' ').map(ruleFor).join('')}`
    return `\n|${content}${rule}\n`
  })
  addRule(turndown, 'rows', isNamed('TABLE', 'TBODY', 'THEAD', 'TFOOT'), (content) => `\n\n${content.trim()}\n\n`)
  addRule(
    turndown,
    'cellBreak',
    (node) => node.nodeName === 'BR' && node.hasAttribute('data-cell'),
    () => '<br>',
  )
}

/** `10<sup>6</sup>` and `m<sup>2</sup>`, where the plain text would be another number or word. */
function isPower(node: RuleNode): boolean {
  if (node.nodeName !== 'SUP' || !/^\s*[-−+]?\d{1,3}\s*$/.test(node.textContent)) return false
  return /(?:\d|(?:^|[^\p{L}])\p{L}{1,2}|\))$/u.test(node.previousSibling?.textContent ?? '')
}

function ruleFor(align: string): string {
  if (align === 'left') return ' :-- |'
  if (align === 'right') return ' --: |'
  return align === 'center' ? ' :-: |' : ' --- |'
}

function imageMarkdown(image: RuleNode, base64: 'keep' | 'remove'): string {
  const source = image.getAttribute('src') ?? ''
  const alt = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&').trim()
  if (base64 === 'remove' && source.startsWith('data:')) return `![${alt}](${base64Placeholder})`
  const title = image.getAttribute('title')?.replace(/\s+/g, ' ').replace(/"/g, '\\"').trim()
  const address = source.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, '\\$&')
  return address ? `![${alt}](${address}${title ? ` "${title}"` : ''})` : ''
}

function tidy(markdown: string): string {
  return markdown
    .replace(/[ \t]+$/gm, (space) => (space.length === 2 ? space : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function isNamed(...names: string[]): (node: RuleNode) => boolean {
  return (node) => names.includes(node.nodeName)
}

function addRule(
  turndown: TurndownService,
  key: string,
  filter: (node: RuleNode) => boolean,
  replacement: (content: string, node: RuleNode) => string,
): void {
  turndown.addRule(key, { filter, replacement } as unknown as TurndownService.Rule)
}
