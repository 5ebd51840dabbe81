import { inflateSync } from 'node:zlib'
import { readExif, readXmp } from './exif.ts'
import { decoded, type ImageFacts, merged, type Said, type View, viewOf } from './facts.ts'

const maxChunks = 100_000
const maxTextBytes = 200_000
/** Keywords of the PNG specification (11.3.3.2). */
const keywords: Readonly<Record<string, keyof Said>> = {
  Title: 'title',
  Description: 'description',
  Comment: 'description',
  Author: 'author',
  Copyright: 'copyright',
  Software: 'software',
  'Creation Time': 'date',
}

export function readPng(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'big')
  const said: Said[] = []
  let isAnimated = false
  let at = 8
  for (let chunk = 0; chunk < maxChunks && at + 12 <= view.length; chunk++) {
    const length = view.u32(at)
    const type = view.ascii(at + 4, 4)
    const body = () => bytes.subarray(at + 8, Math.min(at + 8 + length, bytes.length))
    if (type === 'acTL') isAnimated = view.u32(at + 8) > 1
    else if (type === 'eXIf') said.push(exifOf(body()))
    else if (/^(?:tEXt|iTXt|zTXt)$/.test(type)) said.push(textOf(type, body()))
    else if (type === 'IEND') break
    at += 12 + length
  }
  return merged({ format: isAnimated ? 'APNG' : 'PNG', ...sizeOf(view), isAnimated }, ...said)
}

const sizeOf = (view: View) => (view.ascii(12, 4) === 'IHDR' ? { width: view.u32(16), height: view.u32(20) } : {})

function exifOf(bytes: Uint8Array): Said {
  const { width: _, height: _height, swapsSides: _swaps, ...said } = readExif(bytes)
  return said
}

function textOf(type: string, body: Uint8Array): Said {
  const end = body.indexOf(0)
  if (end < 1 || end > 79) return {}
  const keyword = Buffer.from(body.subarray(0, end)).toString('latin1')
  const value = valueOf(type, body.subarray(end + 1))
  if (keyword === 'XML:com.adobe.xmp') return readXmp(value)
  const key = keywords[keyword]
  return key ? { [key]: value.trim() } : {}
}

function valueOf(type: string, rest: Uint8Array): string {
  if (type === 'tEXt') return Buffer.from(rest.subarray(0, maxTextBytes)).toString('latin1')
  if (type === 'zTXt') return Buffer.from(inflated(rest.subarray(1))).toString('latin1')
  const language = rest.indexOf(0, 2)
  const keyword = language === -1 ? -1 : rest.indexOf(0, language + 1)
  if (keyword === -1) return ''
  const text = rest.subarray(keyword + 1)
  return decoded(rest[0] === 1 ? inflated(text) : text.subarray(0, maxTextBytes))
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxTextBytes })
  } catch {
    return new Uint8Array()
  }
}
