import { crc32 } from 'node:zlib'

/** A zip file whose parts are stored as they are. */
export function storedZip(parts: Readonly<Record<string, string>>): Buffer {
  const written = Object.entries(parts).map(([name, text]) => ({ name: Buffer.from(name), body: Buffer.from(text) }))
  const locals = written.map(({ name, body }) =>
    Buffer.concat([Buffer.from('PK\x03\x04'), head(name, body), name, body]),
  )
  const directory = written.map(({ name, body }, index) => {
    const offset = locals.slice(0, index).reduce((sum, { length }) => sum + length, 0)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), head(name, body), tail, name])
  })
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(written.length, 8)
  end.writeUInt16LE(written.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(Buffer.concat(locals).length, 16)
  return Buffer.concat([...locals, ...directory, end])
}

function head(name: Buffer, body: Buffer): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt32LE(crc32(body), 10)
  fields.writeUInt32LE(body.length, 14)
  fields.writeUInt32LE(body.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}
