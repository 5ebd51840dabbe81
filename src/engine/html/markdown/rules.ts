import type { Element } from '../dom.ts'
import { isElement } from '../dom.ts'
import { blockRules } from './block-rules.ts'
import { codeSpan, escapeInline, linkDestination, linkTitle } from './escape.ts'
import type { Mark } from './paragraph.ts'
import type { Rule } from './rule.ts'

/** Undefined for elements that say nothing of their own: only what is in them is written. */
export const ruleFor = (name: string): Rule | undefined => (Object.hasOwn(rules, name) ? rules[name] : undefined)

const base64Placeholder = '<Base64-Image-Removed>'

const marked = (mark: Mark): Rule & { enter: NonNullable<Rule['enter']> } => ({
  enter({ paragraph }) {
    // Within itself a mark would end itself.
    if (paragraph.isInside(mark.name)) return undefined
    paragraph.open(mark)
    return paragraph.close
  },
})

const strong = marked({ name: 'strong', wrap: (inner) => `**${inner}**` })
/** An underscore inside a word is no markup (CommonMark §6.2), an asterisk is. */
const emphasis = marked({
  name: 'emphasis',
  wrap: (inner, before) => (/[\p{L}\p{N}]/u.test(before) ? `*${inner}*` : `_${inner}_`),
})
const deleted = marked({ name: 'deleted', wrap: (inner) => `~~${inner}~~` })
const power: Mark = { name: 'power', wrap: (inner) => `^${inner}` }

const link: Rule = {
  enter({ paragraph }, element) {
    const href = element.getAttribute('href')
    if (!href || paragraph.isInside('link')) return undefined
    const target = `(${linkDestination(href)}${linkTitle(element.getAttribute('title'))})`
    paragraph.open({ name: 'link', wrap: (inner) => `[${inner.replace(/ *\n/g, ' ')}]${target}` })
    return paragraph.close
  },
}

const image: Rule = {
  enter({ paragraph, keepsBase64 }, element) {
    const source = element.getAttribute('src') ?? ''
    const alt = escapeInline((element.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim())
    if (source.startsWith('data:') && !keepsBase64) paragraph.add(`![${alt}](${base64Placeholder})`)
    else if (source) paragraph.add(`![${alt}](${linkDestination(source)}${linkTitle(element.getAttribute('title'))})`)
    return 'skip'
  },
}

const code: Rule = {
  enter({ paragraph, blocks }, element) {
    const math = element.getAttribute('data-math')
    const text = element.textContent
    if (math === null) paragraph.add(codeSpan(text))
    else if (math === 'inline') paragraph.add(`$${text.trim()}$`)
    else {
      const before = paragraph.take()
      if (before) blocks.add(before)
      blocks.add(`$$\n${text.trim()}\n$$`)
    }
    return 'skip'
  },
}

/** `10<sup>6</sup>` and `m<sup>2</sup>`, where the plain text would be another number or word. */
const raised: Rule = {
  enter({ paragraph }, element) {
    const note = element.getAttribute('data-footnote')
    if (note !== null) {
      paragraph.add(`[^${note}]`)
      return 'skip'
    }
    if (!isPower(element)) return undefined
    paragraph.open(power)
    return paragraph.close
  },
}

function isPower(element: Element): boolean {
  if (!/^\s*[-−+]?\d{1,3}\s*$/.test(element.textContent)) return false
  return /(?:\d|(?:^|[^\p{L}])\p{L}{1,2}|\))$/u.test(element.previousSibling?.textContent ?? '')
}

const lineBreak: Rule = {
  enter({ paragraph }, element) {
    if (element.hasAttribute('data-cell')) paragraph.breakLine('<br>')
    else paragraph.breakLine('  \n')
    return 'skip'
  },
}

const taskBox: Rule = {
  enter({ paragraph }, element) {
    if (isElement(element.parentNode)) paragraph.add(element.hasAttribute('checked') ? '[x] ' : '[ ] ')
    return 'skip'
  },
}

const rules: Readonly<Record<string, Rule>> = {
  ...blockRules,
  strong,
  b: strong,
  em: emphasis,
  i: emphasis,
  del: deleted,
  s: deleted,
  strike: deleted,
  a: link,
  img: image,
  code,
  sup: raised,
  br: lineBreak,
  input: taskBox,
}
