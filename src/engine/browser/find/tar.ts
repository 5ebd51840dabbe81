export type TarFile = { name: string; mode: number; bytes: Buffer }

const block = 512

/** The plain files of a tar archive (POSIX ustar); links and devices are left out. Fails on a name that leads out of the archive. */
export function* tarFiles(archive: Buffer): Generator<TarFile> {
  for (let at = 0; at + block <= archive.length && archive[at] !== 0;) {
    const header = archive.subarray(at, at + block)
    const size = octal(header, 124, 136)
    const type = header[156]
    if (type === 0x30 || type === 0) {
      const name = [text(header, 345, 500), text(header, 0, 100)].filter(Boolean).join('/')
      if (name.startsWith('/') || name.split('/').includes('..'))
        throw new Error('The archive names a file outside it.')
      yield { name, mode: octal(header, 100, 108), bytes: archive.subarray(at + block, at + block + size) }
    }
    at += block + Math.ceil(size / block) * block
  }
}

function text(header: Buffer, from: number, to: number): string {
  const field = header.subarray(from, to)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

const octal = (header: Buffer, from: number, to: number) => Number.parseInt(text(header, from, to).trim() || '0', 8)
