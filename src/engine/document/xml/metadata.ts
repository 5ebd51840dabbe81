/** Facts that a file says of itself, by the names that pages use. */
export type Metadata = {
  title?: string
  author?: string
  description?: string
  keywords?: string
  language?: string
  publishedTime?: string
  modifiedTime?: string
}

const fields: Readonly<Record<string, keyof Metadata>> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'meta:initial-creator': 'author',
  'dc:description': 'description',
  'dc:subject': 'keywords',
  'cp:keywords': 'keywords',
  'meta:keyword': 'keywords',
  'dc:language': 'language',
  'dcterms:created': 'publishedTime',
  'meta:creation-date': 'publishedTime',
  'dc:date': 'modifiedTime',
  'dcterms:modified': 'modifiedTime',
}
const maxLength = 2000

/** Metadata from properties by their XML names; several of one kind are joined, times become ISO 8601 in UTC. */
export function metadataFrom(properties: Iterable<readonly [name: string, text: string]>): Metadata {
  const found: Metadata = {}
  for (const [name, text] of properties) {
    const field = fields[name]
    const value = text.replace(/\s+/g, ' ').trim().slice(0, maxLength)
    if (field === undefined || value === '') continue
    const isTime = field.endsWith('Time')
    const said = isTime ? isoTime(value) : value
    const before = found[field]
    if (said === undefined || before === said) continue
    found[field] = before === undefined || isTime ? said : `${before}, ${said}`
  }
  return found
}

/** Times without a zone are taken as UTC. */
function isoTime(text: string): string | undefined {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text)
  const time = new Date(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
