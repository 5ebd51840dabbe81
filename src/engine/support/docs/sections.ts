import type { DocsPage, DocsSection } from '../../../contracts/ports.ts'

export type Section = DocsSection & {
  /** What people ask who do not know its words, from comments such as `<!-- asked as: callback; notify me -->`. */
  askedAs: readonly string[]
}

/** A section longer than this, in characters, is split outside code, between paragraphs or rows of a table. */
const longSection = 1800

/** Splits a page at its headings. Code blocks are never broken. */
export function sectionsOf({ path, text }: DocsPage): Section[] {
  const lines = text.split('\n')
  const sections: Section[] = []
  let headings: string[] = []
  let first = 0
  let length = 0
  let isCode = false
  const close = (end: number) => {
    const section = sectionOf(lines.slice(first, end))
    if (section.text !== '') sections.push({ path, firstLine: first + 1, lastLine: end, headings, ...section })
    first = end
    length = 0
  }
  for (const [at, line] of lines.entries()) {
    const heading = isCode ? undefined : headingOf(line)
    if (heading) {
      close(at)
      headings = [...headings.slice(0, heading.level - 1), heading.title]
    } else if (/^(?:\||\s*$)/.test(line) && !isCode && length > longSection) close(at)
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    length += line.length
  }
  close(lines.length)
  return sections
}

function headingOf(line: string): { level: number; title: string } | undefined {
  const [, marks, title] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) ?? []
  return marks === undefined || title === undefined ? undefined : { level: marks.length, title }
}

const askedAsComment = /<!--\s*asked as:(.*?)-->/gs

function sectionOf(lines: readonly string[]): Pick<Section, 'askedAs' | 'text'> {
  const source = lines.join('\n')
  const askedAs = Array.from(source.matchAll(askedAsComment), ([, phrases = '']) => phrases.split(';'))
    .flat()
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
  return { askedAs, text: source.replace(/<!--.*?-->/gs, '').trim() }
}
