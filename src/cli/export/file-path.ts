import { hash } from 'node:crypto'

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
