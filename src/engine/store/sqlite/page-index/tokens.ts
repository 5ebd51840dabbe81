import { hash } from 'node:crypto'
import { domainsOf, type Place, siteParts } from './place.ts'

/**
 * Words of the column `scope`, by which a search is narrowed inside the index. They are numbers: whatever a name holds,
 * it is one word for the tokenizer, and the stemmer leaves words alone that end in a digit.
 */
export const teamToken = (teamId: string): string => token('t', teamId)
export const hostToken = (site: string): string => token('h', siteParts(site).host)
export const typeToken = (extension: string): string => token('x', extension.toLowerCase().replace(/^\./, ''))

/** A crawl asks for the same few with each page. */
const recent = new Map<string, string>()
const maxRecent = 1000

function token(kind: string, name: string): string {
  const known = recent.get(`${kind}${name}`)
  if (known !== undefined) return known
  if (recent.size >= maxRecent) recent.clear()
  const made = `${kind}${BigInt(`0x${hash('sha256', name).slice(0, 16)}`)}`
  recent.set(`${kind}${name}`, made)
  return made
}

export function scopeOf(teamId: string, { hostKey, path }: Place, contentType: string | undefined): string {
  const types = new Set([...extensionOf(path), ...extensionsOf(contentType)])
  return [teamToken(teamId), ...domainsOf(hostKey).map((host) => token('h', host)), ...[...types].map(typeToken)].join(
    ' ',
  )
}

function extensionOf(path: string): string[] {
  const [, extension] = /\.([a-z0-9]{1,8})$/i.exec(path.replace(/\?.*/s, '')) ?? []
  return extension === undefined ? [] : [extension.toLowerCase()]
}

/** What people call the types of files that pages are sent as. */
const extensions: Readonly<Record<string, readonly string[]>> = {
  'text/html': ['html', 'htm'],
  'application/xhtml+xml': ['html', 'htm', 'xhtml'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt'],
  'text/markdown': ['md', 'markdown'],
  'text/csv': ['csv'],
  'application/json': ['json'],
  'application/x-ndjson': ['ndjson', 'jsonl'],
  'application/xml': ['xml'],
  'text/xml': ['xml'],
  'application/rss+xml': ['rss', 'xml'],
  'application/atom+xml': ['atom', 'xml'],
  'application/rtf': ['rtf'],
  'application/epub+zip': ['epub'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
}

function extensionsOf(contentType: string | undefined): readonly string[] {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? []) : []
}
