import { essenceOf, kindOfName, kindOfType } from '../../document/media-types.ts'

/**
 * Further extensions of files that are not read as documents. Extensions that are also top-level domains are excluded,
 * because pages are named after hosts.
 */
const unread = new Set(
  [
    'tar bz2 tbz2 xz txz zst lz lz4 lzma cab jar war ear deb rpm apk aab ipa pkg msi msix appimage whl gem nupkg vsix crx xpi',
    'wav ogg oga opus flac m4a m4b aac wma mid midi aif aiff amr m3u m3u8 pls',
    'm4v mkv wmv flv f4v mpg mpeg ogv 3gp 3g2 m2ts vob mpd swf',
    'heic heif jxl jp2 psd eps tga xcf cr2 nef dng cur',
    'eot pfb bin dat img vhd vmdk ova dll dylib pyc db sqlite sqlite3 mdb accdb parquet npy npz pkl h5 onnx torrent',
    'xlsb pps vsd vsdx msg mobi azw azw3 djvu chm dwg dxf stl',
    'css scss sass less js mjs cjs map',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Returns the extension of a name that looks like an unreadable file: an image, audio, video, font, archive, program,
 * style sheet or script. Pages may have any name, so this is only a hint.
 */
export function doubtfulEnding(pathname: string): string | undefined {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (!last.includes('.') && !last.includes('%')) return undefined
  const name = (last.split(';', 1)[0] ?? '').replaceAll(/%2e/gi, '.')
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const kind = kindOfName(name)
  return kind === 'image' || kind === 'binary' || unread.has(ending) ? ending : undefined
}

export const isMedia = (mediaType: string) =>
  /^(?:image|audio|video|font)\/|^text\/css|^(?:text|application)\/(?:x-)?javascript/i.test(mediaType)

/** True if the type may be a document. A generic byte stream may be anything. */
export const isDocumentType = (mediaType: string) =>
  /octet-stream/i.test(mediaType) || !(isMedia(mediaType) || kindOfType(essenceOf(mediaType)) === 'binary')

/**
 * Counts, for each folder and extension, the links that led to unreadable files. Once a folder is full, its other links
 * with that extension are skipped.
 */
export type FileFolders = {
  isFull(url: string, ending: string): boolean
  add(url: string, ending: string): 'full' | 'open'
}

export const manyFiles = 20
const fileFolderOf = (url: string, ending: string) => `${new URL('.', url).href} ${ending}`

export function createFileFolders(): FileFolders {
  const counts = new Map<string, number>()
  return {
    isFull: (url, ending) => (counts.get(fileFolderOf(url, ending)) ?? 0) >= manyFiles,
    add(url, ending) {
      const count = (counts.get(fileFolderOf(url, ending)) ?? 0) + 1
      counts.set(fileFolderOf(url, ending), count)
      return count === manyFiles ? 'full' : 'open'
    },
  }
}
