import type { Converter } from '../converter.ts'
import { textOf } from './decode.ts'

export const readText: Converter = (source) => ({ markdown: textOf(source) })

export const readMarkdown: Converter = (source) => {
  const markdown = textOf(source)
  return { markdown, metadata: { ...titleOf(markdown), ...frontMatter(markdown) } }
}

/** Names of front matter in use by site generators, and the names of metadata they stand for. */
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

/** The plain `key: value` lines (YAML) or `key = value` lines (TOML) at the head of a markdown file. */
function frontMatter(markdown: string): Record<string, string> {
  const [, fence, block] = /^\s*(---|\+\+\+)[ \t]*\n([^]{0,20000}?)\n\1[ \t]*(?:\n|$)/.exec(markdown) ?? []
  if (fence === undefined || block === undefined) return {}
  const line = fence === '---' ? /^([\w-]+):[ \t]+(\S.*)$/gm : /^([\w-]+)[ \t]*=[ \t]*(\S.*)$/gm
  const facts = [...block.matchAll(line)].map(
    ([, key = '', value = '']) => [keys[key.toLowerCase()], plain(value)] as const,
  )
  return Object.fromEntries(facts.filter(([key, value]) => key !== undefined && value !== '').toReversed())
}

/** A value of one line without its quotes; lists as words with commas. */
function plain(value: string): string {
  const trimmed = value.trim()
  const [, quoted] = /^(?:"((?:[^"\\]|\\.)*)"|'(?:[^']|'')*')/.exec(trimmed) ?? []
  if (quoted !== undefined) return quoted.replaceAll('\\"', '"')
  if (/^'.*'$/.test(trimmed)) return trimmed.slice(1, -1).replaceAll("''", "'")
  if (/^\[.*\]$/.test(trimmed)) return trimmed.slice(1, -1).split(',').map(plain).join(', ')
  // Block scalars and anchors are YAML proper.
  return /^[|>&*!{]/.test(trimmed) ? '' : trimmed.replace(/\s+#.*$/, '')
}

function titleOf(markdown: string): { title?: string } {
  const [, title] = /^#[ \t]+(.{1,500}?)(?:[ \t]+#*)?$/m.exec(markdown.slice(0, 20_000)) ?? []
  return title ? { title } : {}
}
