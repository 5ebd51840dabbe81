import { metadataFrom, type Metadata } from '../office/metadata.ts'
import type { PdfFile } from './open-pdf.ts'

type Info = Readonly<Record<string, unknown>>
type Xmp = { get(name: string): unknown }

const names: Readonly<Record<string, string>> = {
  Title: 'dc:title',
  Author: 'dc:creator',
  Subject: 'dc:description',
  Keywords: 'cp:keywords',
  CreationDate: 'dcterms:created',
  ModDate: 'dcterms:modified',
  Language: 'dc:language',
}
const xmpNames: Readonly<Record<string, string>> = {
  'dc:title': 'dc:title',
  'dc:creator': 'dc:creator',
  'dc:description': 'dc:description',
  'pdf:keywords': 'cp:keywords',
  'xmp:createdate': 'dcterms:created',
  'xmp:modifydate': 'dcterms:modified',
}

/** What the file says of itself in its information dictionary, and in its XMP packet where that says nothing. */
export async function metadataOf(pdf: PdfFile): Promise<Metadata> {
  const { info, metadata } = await pdf.getMetadata().catch(() => ({ info: {}, metadata: null }))
  const said = Object.entries(names).map(([key, name]) => [name, isoOr(textOf((info as Info)[key]))] as const)
  const xmp = metadata as Xmp | null
  const known = new Set(said.filter(([, text]) => text !== '').map(([name]) => name))
  const more = Object.entries(xmpNames)
    .filter(([, name]) => !known.has(name))
    .map(([key, name]) => [name, textOf(xmp?.get(key))] as const)
  return metadataFrom([...said, ...more])
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ')
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : ''
}

const date = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/

/** D:YYYYMMDDHHmmSSOHH'mm' (ISO 32000-1, 7.9.4) as ISO 8601; other text as it is. */
function isoOr(text: string): string {
  const [
    whole,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    sign,
    zoneHour,
    zoneMinute = '00',
  ] = date.exec(text) ?? []
  if (whole === undefined || !text.startsWith('D:')) return text
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}
