import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

/**
 * Packs a folder as a ZIP archive, with file permissions. Deterministic. 4 % smaller with zlib than with the library of
 * mcpb.
 */
export function zipOf(folder: string): Buffer {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const path of paths) {
    const { header, name, packed } = entryOf(path, relative(folder, path).replaceAll('\\', '/'))
    bodies.push(u32(0x04034b50), header, name, packed)
    const rights = u32((statSync(path).mode & 0o777) * 0x10000)
    directory.push(u32(0x02014b50), madeByUnix, header, u16(0), u16(0), u16(0), rights, u32(offset), name)
    offset += 4 + header.length + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const count = u16(paths.length)
  const end = [u32(0x06054b50), u16(0), u16(0), count, count, u32(listed.length), u32(offset), u16(0)]
  return Buffer.concat([...bodies, listed, ...end])
}

/** Header fields that also occur in the directory: version needed (2.0) to length of extra fields. */
function entryOf(path: string, called: string) {
  const bytes = readFileSync(path)
  const packed = deflateRawSync(bytes, { level: 9 })
  const name = Buffer.from(called)
  const [utf8, deflated] = [0x800, 8]
  const sizes = [u32(crc32(bytes)), u32(packed.length), u32(bytes.length)]
  const header = [u16(20), u16(utf8), u16(deflated), beginningOf1980, ...sizes, u16(name.length), u16(0)]
  return { header: Buffer.concat(header), name, packed }
}

const u16 = (value: number) => Buffer.of(value & 0xff, value >>> 8)
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const madeByUnix = u16(0x314)
/** Time and date: the earliest the format supports. */
const beginningOf1980 = Buffer.concat([u16(0), u16(0x21)])
