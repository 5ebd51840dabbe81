import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../engine/store/make-folder.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { writeWhole } from './jsonl.ts'

export type MarkdownFiles = {
  /** Writes the file of a document and answers its path in the folder, with slashes. The same document gets the same file again. */
  write(document: Document): Promise<string>
  /** Tells of a file that an earlier run has written. */
  taken(path: string, scrapeId: string): void
}

export function createMarkdownFiles(folder: string, now: () => number): MarkdownFiles {
  const owners = new Map<string, string>()
  const place = ({ url, scrapeId }: Document['metadata']) => {
    const wanted = pathOf(url)
    const free = [wanted, withMark(wanted, url)].find((path) => {
      const owner = owners.get(folded(path))
      return owner === undefined || owner === scrapeId
    })
    const path = free ?? withMark(wanted, scrapeId)
    owners.set(folded(path), scrapeId)
    return path
  }
  return {
    write: async (document) => {
      const path = place(document.metadata)
      const file = join(folder, ...path.split('/'))
      await makeFolder(dirname(file))
      await writeWhole(file, markdownFile(document, now()))
      return path
    },
    taken: (path, scrapeId) => void owners.set(folded(path), scrapeId),
  }
}

type Metadata = Document['metadata']

/** The markdown of a page behind what is known of it, as YAML. `now` counts where the page does not say when it was fetched. */
export function markdownFile(document: Document, now: number): string {
  const facts = Object.entries(factsOf(document.metadata, now)).flatMap(([name, value]) => {
    if (typeof value === 'number') return [`${name}: ${value}\n`]
    return typeof value === 'string' && value !== '' ? [`${name}: ${quoted(value)}\n`] : []
  })
  const text = document.markdown ?? document.summary ?? document.html ?? document.rawHtml ?? ''
  return `---\n${facts.join('')}---\n\n${text.trimEnd()}\n`
}

const factsOf = (metadata: Metadata, now: number) => ({
  title: metadata.title,
  url: metadata.url,
  sourceURL: metadata.sourceURL,
  statusCode: metadata.statusCode,
  description: metadata.description,
  language: metadata.language,
  fetched: metadata.cachedAt ?? new Date(now).toISOString(),
  scrapeId: metadata.scrapeId,
})

/**
 * A double-quoted scalar of YAML (1.2, 7.3.1). It is what JSON writes, but for characters that YAML does not take as
 * they are, and those that older readers take for line ends.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** UTF-8 bytes of one part of a path. Systems allow 255, of which other programs want some for themselves. */
const maxSegment = 120
const maxFolders = 240
const ending = '.md'

/**
 * Where the page of an address lies: its host and path as folders, its query as the end of the file name. The path
 * is safe on Linux, macOS and Windows, whatever the address holds. Different addresses may get paths that differ in
 * case only, and rarely the same.
 */
export function pathOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  const parts = pathname.slice(1).split('/')
  const last = decoded(parts.pop() ?? '')
  const query = search.length > 1 ? `--${decoded(search.slice(1))}` : ''
  const folders = parts.map((part) => folderName(decoded(part)))
  const file = fileName(`${last || 'index'}${query}`)
  const path = [folderName(host.replace(/:(?=\d+$)/, '_')), ...fitting(folders), file]
  return fitting(folders).length === folders.length ? path.join('/') : withMark(path.join('/'), url)
}

/** Another name beside `path`, for what must not lie there. */
export function withMark(path: string, identity: string): string {
  const at = path.lastIndexOf('/') + 1
  const mark = `~${shortHash(identity)}${ending}`
  return `${path.slice(0, at)}${cut(path.slice(at, -ending.length), maxSegment - mark.length)}${mark}`
}

/** Alike for paths that are one file where case, or the way accents are written, makes no difference. */
export const folded = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

const shortHash = (text: string) => hash('sha256', text, 'hex').slice(0, 10)

/** A page in very many folders lies in the first of them. */
function fitting(folders: readonly string[]): readonly string[] {
  const full = folders.findIndex((_, index) => Buffer.byteLength(folders.slice(0, index + 1).join('/')) > maxFolders)
  return full === -1 ? folders : folders.slice(0, full)
}

/** A folder never ends like a file, so that `/a.md/b` leaves room for `/a`. */
const folderName = (name: string) => safeName(name.replace(/\.md$/i, '$&_') || '_', '')
const fileName = (name: string) => safeName(/\.md$/i.test(name) ? name.slice(0, -ending.length) : name, ending)

function safeName(name: string, end: string): string {
  const safe = name
    .replace(/[\p{C}\p{Z}<>:"/\\|?*%]/gu, encoded)
    .replace(/^[.~]|\.$/g, encoded)
    .replace(reserved, '_$&')
  const whole = `${safe}${end}`
  if (Buffer.byteLength(whole) <= maxSegment) return whole
  const mark = `~${shortHash(name)}${end}`
  return `${cut(safe, maxSegment - mark.length)}${mark}`
}

/** Devices of Windows, with any ending; and the files of the export itself. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)|^(?:crawl\.json|pages\.jsonl)$/i

const encoded = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** What is no valid UTF-8 stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}

/** The beginning of a text that takes at most so many bytes, without half characters. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}
