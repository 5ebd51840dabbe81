import { deflateSync } from 'node:zlib'

/** A PDF written object by object, for files that libraries do not create; object 1 is the catalogue. */
export function rawPdf(objects: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.byteLength
  const push = (part: Uint8Array) => {
    parts.push(part)
    length += part.byteLength
  }
  objects.forEach((object, index) => {
    offsets.push(length)
    push(Buffer.from(`${index + 1} 0 obj\n`))
    push(typeof object === 'string' ? Buffer.from(object, 'latin1') : object)
    push(Buffer.from('\nendobj\n'))
  })
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export function stream(content: string | Uint8Array, entries = ''): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.byteLength} ${entries} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** A page with these operators; object 5 is its font or picture. */
export const onePage = (
  content: string | Uint8Array,
  resources: string,
  more: readonly (string | Uint8Array)[],
  entries = '',
): Uint8Array =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream(content, entries),
    ...more,
  ])

/** A kilobyte that becomes hundreds of megabytes of page content. */
export function flateBomb(megabytes: number): Uint8Array {
  const once = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, 'q Q '), { level: 9 })
  const twice = deflateSync(once, { level: 9 })
  return onePage(twice, '', [], '/Filter [/FlateDecode /FlateDecode]')
}
