import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { Outside, Table, Tabs, count } from '../parts.ts'
import { useChoice } from '../place.ts'

/** Maximum length of a shown text; a longer one would slow down the page. */
const maxShown = 200_000

export const cut = (text: string) =>
  text.length <= maxShown ? text : `${text.slice(0, maxShown)}\n… ${count(text.length - maxShown)} characters more`

/** Markdown as a page, with a switch to its source. */
export function Markdown({ text }: { text: string }): VNode {
  const [as, setAs] = useChoice<'page' | 'source'>('markdown', 'page')
  return html`<${Tabs}
      label="Show the markdown as"
      tabs=${{ page: 'Page', source: 'Source' }}
      now=${as}
      choose=${setAs}
    />
    ${
      as === 'source' || text === ''
        ? html`<pre class="markdown" tabindex="0">${cut(text) || '(The page has no text.)'}</pre>`
        : html`<div class="markdown rendered" tabindex="0" role="group" aria-label="Rendered markdown">
            ${blocks(cut(text).split('\n'))}
          </div>`
    }`
}

/** Kinds of blocks, tried in this order: `starts` matches the first line, `continues` the lines after it. */
const rules: readonly { starts: RegExp; continues: RegExp; draw(lines: readonly string[]): ComponentChildren }[] = [
  {
    starts: /^#{1,6} /,
    continues: /^(?!)/,
    // Two levels lower, because the dashboard has headings above it.
    draw: ([line = '']) =>
      html`<p role="heading" aria-level=${Math.min(6, 2 + line.indexOf(' '))} class="title">
        ${inline(line.replace(/^#+ /, ''))}
      </p>`,
  },
  { starts: /^\s*(?:[-*_] *){3,}$/, continues: /^(?!)/, draw: () => html`<hr />` },
  { starts: /^\|/, continues: /^\|/, draw: table },
  {
    starts: /^>/,
    continues: /^>/,
    draw: (lines) => html`<blockquote>${blocks(lines.map((line) => line.replace(/^> ?/, '')))}</blockquote>`,
  },
  {
    starts: /^\s*(?:[-*+]|\d+[.)]) /,
    continues: /^\s*(?:[-*+]|\d+[.)]) |^\s+\S/,
    draw: (lines) =>
      html`<ul>
        ${lines.map(item)}
      </ul>`,
  },
]
const fence = /^\s*(`{3,}|~{3,})/
const isBlock = (line: string) =>
  line.trim() === '' || fence.test(line) || rules.some(({ starts }) => starts.test(line))

/** Renders lines of markdown. Text of a page is inserted as text, never as markup. */
function blocks(lines: readonly string[]): ComponentChildren[] {
  const drawn: ComponentChildren[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const rule = rules.find(({ starts }) => starts.test(line))
    let end = at + 1
    const takeWhile = (continues: (line: string) => boolean) => {
      while (end < lines.length && continues(lines[end] ?? '')) end += 1
    }
    const [, mark] = fence.exec(line) ?? []
    if (mark !== undefined) {
      takeWhile((each) => !each.trim().startsWith(mark))
      drawn.push(html`<pre class="answer" tabindex="0">${lines.slice(at + 1, end).join('\n')}</pre>`)
      end += 1
    } else if (rule) {
      takeWhile((each) => rule.continues.test(each))
      drawn.push(rule.draw(lines.slice(at, end)))
    } else if (line.trim() !== '') {
      takeWhile((each) => !isBlock(each))
      drawn.push(html`<p>${inline(lines.slice(at, end).join(' '))}</p>`)
    }
    at = end
  }
  return drawn
}

function item(line: string): VNode {
  const [, indent = '', mark = '', text = ''] = /^(\s*)(?:([-*+]|\d+[.)]) )?(.*)$/.exec(line) ?? []
  const label = /\d/.test(mark) ? `${mark} ` : ''
  return html`<li style=${{ marginInlineStart: `${indent.length * 8}px` }}>${label}${inline(text)}</li>`
}

function table(lines: readonly string[]): VNode {
  const [head, ...rows] = lines
    .filter((line) => !/^\|[\s:|-]+$/.test(line))
    .map((line) => line.replace(/^\||\|\s*$/g, '').split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => inline(cell.trim())))
  return html`<${Table} label="Table of the page" head=${head} rows=${rows} />`
}

const parts =
  /`([^`]+)`|(!?)\[((?:!\[[^\]]*\]\([^)]*\)|[^\]\\]|\\.)*)\]\(<?([^)\s>]*)>?(?: "[^"]*")?\)|\*\*(.+?)\*\*|(?<![\w*])\*(\S[^*]*)\*|(?<!\w)_(\S[^_]*)_(?!\w)|\\([^a-z\d\s])/gi

function inline(text: string): ComponentChildren[] {
  const drawn: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(parts)) {
    drawn.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [, code, image, label = '', url, strong, soft, softer, escaped] = match
    if (code !== undefined) drawn.push(html`<code>${code}</code>`)
    // Pictures are not loaded, because they are on other sites.
    else if (url !== undefined)
      drawn.push(image ? html`<i class="faint">[picture: ${label || 'without a text'}]</i>` : link(url, label))
    else if (strong !== undefined) drawn.push(html`<b>${inline(strong)}</b>`)
    else if (escaped !== undefined) drawn.push(escaped)
    else drawn.push(html`<i>${inline(soft ?? softer ?? '')}</i>`)
  }
  return [...drawn, text.slice(end)]
}

const link = (url: string, label: string) => html`<${Outside} url=${url}>${inline(label)}<//>`
