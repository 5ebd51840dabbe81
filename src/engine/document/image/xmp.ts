import { textIn } from '../text/feed-tags.ts'
import type { Said } from './facts.ts'

const maxChars = 200_000

/** The plain Dublin Core properties of an XMP packet: of texts in several languages, the first. */
export function readXmp(packet: string): Said {
  const xmp = packet.slice(0, maxChars)
  return {
    title: property(xmp, 'title'),
    description: property(xmp, 'description'),
    author: property(xmp, 'creator'),
    copyright: property(xmp, 'rights'),
  }
}

function property(xmp: string, name: string): string {
  const start = xmp.search(new RegExp(`<dc:${name}[\\s>]`))
  if (start === -1) return ''
  const end = xmp.indexOf(`</dc:${name}>`, start)
  const value = end === -1 ? '' : xmp.slice(start, Math.min(end, start + 20_000))
  const [, item] = /<rdf:li\b[^<>]*>([^<]*)</.exec(value) ?? []
  return textIn(item ?? value.replace(/<[^<>]*>/g, '')).trim()
}
