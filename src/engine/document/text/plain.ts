import { isUtf8 } from 'node:buffer'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { decodeText, guessedCharset } from '../../net/charset.ts'
import type { Converter, Source } from '../converter.ts'
import { languageOf } from '../media-types.ts'
import { withAbsoluteLinks } from './markdown-links.ts'

export const readText: Converter = (source) => ({ markdown: textOf(source), ...guessWarning(source) })

export const readMarkdown: Converter = (source) => {
  const markdown = textOf(source)
  // The title is not searched in the front matter, where a comment looks like a heading.
  return {
    ...withAbsoluteLinks(markdown, source.url),
    metadata: { ...titleOf(markdown.replace(head, '')), ...frontMatter(markdown) },
    ...guessWarning(source),
  }
}

/** Front matter names used by site generators, with the metadata names they map to. */
const keys: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  summary: 'description',
  author: 'author',
  authors: 'author',
  date: 'publishedTime',
  published: 'publishedTime',
  updated: 'modifiedTime',
  lastmod: 'modifiedTime',
  lang: 'language',
  language: 'language',
  tags: 'keywords',
  keywords: 'keywords',
  canonical: 'canonical',
  canonical_url: 'canonical',
}

const head = /^\s*(---|\+\+\+)[ \t]*\n([^]{0,20000}?)\n\1[ \t]*(?:\n|$)/

/** Reads the plain `key: value` lines (YAML) or `key = value` lines (TOML) at the head of a markdown file. */
function frontMatter(markdown: string): Record<string, string> {
  const [, fence, block] = head.exec(markdown) ?? []
  if (fence === undefined || block === undefined) return {}
  const line = fence === '---' ? /^([\w-]+):[ \t]+(\S.*)$/gm : /^([\w-]+)[ \t]*=[ \t]*(\S.*)$/gm
  const facts = [...block.matchAll(line)].map(
    ([, key = '', value = '']) => [keys[key.toLowerCase()], plain(value)] as const,
  )
  return Object.fromEntries(facts.filter(([key, value]) => key !== undefined && value !== '').toReversed())
}

/** Returns a one-line value without its quotes; lists become words separated by commas. */
function plain(value: string): string {
  const trimmed = value.trim()
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(trimmed) ?? []
  if (double !== undefined) return double.replaceAll('\\"', '"')
  if (single !== undefined) return single.replaceAll("''", "'")
  if (/^\[.*\]$/.test(trimmed)) return trimmed.slice(1, -1).split(',').map(plain).join(', ')
  // Block scalars and anchors would need a full YAML parser.
  return /^[|>&*!{]/.test(trimmed) ? '' : trimmed.replace(/(?<!\s)\s+#.*$/, '')
}

function titleOf(markdown: string): { title?: string } {
  const [, title] = /^#[ \t]+([^ \t].{0,499}?)(?:[ \t]+#*)?$/m.exec(markdown.slice(0, 20_000)) ?? []
  return title ? { title } : {}
}

export const readCode: Converter = (source) => ({
  markdown: fenced(textOf(source), languageOf(source.contentType, source.url)),
})

export const readXml: Converter = (source) => ({ markdown: fenced(textOf(source), 'xml') })

/**
 * Returns the text of a file with "\n" line breaks, without invisible characters. A charset declared inside counts only
 * for markup, because a text about HTML may contain any declaration.
 */
export function textOf(source: Pick<Source, 'bytes' | 'contentType'>): string {
  return sanitiseText(decoded(source).replace(/\r\n?/g, '\n'))
}

/** Returns a warning if the charset of a text had to be guessed. */
export function guessWarning({ bytes, contentType }: Source): { warning?: string } {
  const charset = guessedCharset(bytes, contentType)
  return charset === undefined
    ? {}
    : {
        warning: `The file declares no charset. It was read as ${charset}, which is a guess: letters other than A to Z may be garbled.`,
      }
}

function decoded({ bytes, contentType }: Pick<Source, 'bytes' | 'contentType'>): string {
  const isPlainUtf8 = !/;\s*charset\s*=/i.test(contentType ?? '') && !bytes.subarray(0, 64).includes(0) && isUtf8(bytes)
  return isPlainUtf8 ? new TextDecoder().decode(bytes) : decodeText(bytes, contentType).text
}

/** Formats a code block; its fence is longer than any inside. */
export function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/(?<!\n)\n+$/, '')}\n${fence}\n`
}
