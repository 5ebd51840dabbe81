import { kindOfName } from '../../document/media-types.ts'

/** Endings beyond the table of kinds that tell a file nobody reads as a document; none that ends names of hosts, which pages are named after. */
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
 * Whether the name of a file leaves hope that it can be read. Pages have any name, so that only what is known to be a
 * picture, sound, film, font, archive, program, style sheet or script is none.
 */
export function mayBeDocument(pathname: string): boolean {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (!last.includes('.') && !last.includes('%')) return true
  const name = (last.split(';', 1)[0] ?? '').replaceAll(/%2e/gi, '.')
  const kind = kindOfName(name)
  return kind !== 'image' && kind !== 'binary' && !unread.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}
